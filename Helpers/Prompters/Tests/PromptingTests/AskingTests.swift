// SPDX-License-Identifier: Apache-2.0

import Testing

/// Runs the tests one after the other, because a prompt handles the signals of the whole process.
@Suite(.serialized) enum AskingTests {}
