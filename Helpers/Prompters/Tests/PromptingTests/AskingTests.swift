// SPDX-License-Identifier: Apache-2.0

import Testing

/// One after the other, since asking takes the process's signals for its time.
@Suite(.serialized) enum AskingTests {}
