// SPDX-License-Identifier: Apache-2.0

// A PAM module in the place of pam_unix.so: the password is right if it is that of the option right=PASSWORD, or without an
// option, and each change of the password succeeds, but not one to the password of the option denied=PASSWORD. It needs no account. The
// option without-old is for a change by root.

#include <string.h>
#include <security/pam_ext.h>
#include <security/pam_modules.h>

int pam_sm_authenticate(pam_handle_t *handle, int flags, int count, const char **options)
{
    const char *password;
    (void)flags;
    if (pam_get_authtok(handle, PAM_AUTHTOK, &password, NULL) != PAM_SUCCESS) return PAM_AUTH_ERR;
    for (int index = 0; index < count; index++)
        if (!strncmp(options[index], "right=", 6) && !strcmp(options[index] + 6, password)) return PAM_SUCCESS;
    return count == 0 ? PAM_SUCCESS : PAM_AUTH_ERR;
}

int pam_sm_setcred(pam_handle_t *handle, int flags, int count, const char **options)
{
    (void)handle, (void)flags, (void)count, (void)options;
    return PAM_SUCCESS;
}

int pam_sm_chauthtok(pam_handle_t *handle, int flags, int count, const char **options)
{
    const char *password;
    if (flags & PAM_PRELIM_CHECK) return count > 0 ? PAM_SUCCESS : pam_get_authtok(handle, PAM_OLDAUTHTOK, &password, NULL);
    int status = pam_get_authtok_noverify(handle, &password, NULL);
    for (int index = 0; status == PAM_SUCCESS && index < count; index++)
        if (!strncmp(options[index], "denied=", 7) && !strcmp(options[index] + 7, password)) status = PAM_AUTHTOK_ERR;
    return status;
}
