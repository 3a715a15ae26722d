// SPDX-License-Identifier: Apache-2.0

// A program that logs users in: it does one step of PAM for each line of its input, and prints what came of it with the
// milliseconds that it took.
//
// usage: pam_host CONFIGURATION-FOLDER SERVICE USER

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <security/pam_appl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pam_handle_t *handle;
// The files with the answers to the next prompts. A password is nowhere in this program but in the answer itself.
static char *answers[8];
static int answer_count;
static FILE *output;
// PAM takes longer answers than its own conversation function gives (PAM_MAX_RESP_SIZE, 512).
enum { answer_size = 200000 };

static int converse(int count, const struct pam_message **messages, struct pam_response **responses, void *data)
{
    (void)data;
    struct pam_response *given = calloc((size_t)count, sizeof *given);
    for (int index = 0; index < count; index++) {
        if (messages[index]->msg_style != PAM_PROMPT_ECHO_OFF) continue;
        if (answer_count == 0) return PAM_CONV_ERR;
        int file = open(answers[0], O_RDONLY | O_CLOEXEC);
        given[index].resp = calloc(1, answer_size + 1);
        if (file < 0 || read(file, given[index].resp, answer_size) < 0) abort();
        close(file);
        free(answers[0]);
        memmove(answers, answers + 1, sizeof answers - sizeof *answers);
        answer_count--;
    }
    *responses = given;
    return PAM_SUCCESS;
}

static void *wait_for_ever(void *data)
{
    for (;;) pause();
    return data;
}

static int descriptors(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (readdir(folder) != NULL) count++;
    closedir(folder);
    return count;
}

static int step(const char *word, const char *rest)
{
    if (!strcmp(word, "answer")) return answers[answer_count++] = strdup(rest), 0;
    if (!strcmp(word, "authenticate")) return pam_authenticate(handle, 0);
    if (!strcmp(word, "setcred")) return pam_setcred(handle, atoi(rest));
    if (!strcmp(word, "open")) return pam_open_session(handle, 0);
    if (!strcmp(word, "close")) return pam_close_session(handle, 0);
    if (!strcmp(word, "chauthtok")) return pam_chauthtok(handle, 0);
    if (!strcmp(word, "user")) return pam_set_item(handle, PAM_USER, rest);
    if (!strcmp(word, "terminal")) return pam_set_item(handle, PAM_TTY, rest);
    if (!strcmp(word, "remote-host")) return pam_set_item(handle, PAM_RHOST, rest);
    if (!strcmp(word, "remote-user")) return pam_set_item(handle, PAM_RUSER, rest);
    if (!strcmp(word, "env")) return pam_putenv(handle, rest);
    if (!strcmp(word, "end")) return pam_end(handle, atoi(rest));
    // The number of children that ended or run.
    if (!strcmp(word, "children")) return waitpid(-1, NULL, WNOHANG | __WALL) < 0 && errno == ECHILD ? 0 : 1;
    if (!strcmp(word, "descriptors")) return descriptors();
    if (!strcmp(word, "ignore-children")) return signal(SIGCHLD, SIG_IGN) == SIG_ERR;
    if (!strcmp(word, "ignore-pipes")) return signal(SIGPIPE, SIG_IGN) == SIG_ERR;
    if (!strcmp(word, "close-standard-streams")) return close(0) | close(1) | close(2);
    // As a program with the set-user-ID bit of root that this user called.
    if (!strcmp(word, "become-caller")) return setresuid((uid_t)atoi(rest), 0, 0);
    if (!strcmp(word, "give-up-root")) return setresgid((gid_t)atoi(rest), (gid_t)atoi(rest), (gid_t)atoi(rest))
        || setresuid((uid_t)atoi(rest), (uid_t)atoi(rest), (uid_t)atoi(rest));
    if (!strcmp(word, "thread")) {
        pthread_t thread;
        return pthread_create(&thread, NULL, wait_for_ever, NULL);
    }
    if (!strcmp(word, "fork")) {
        pid_t child = fork();
        if (child == 0) return 0;
        int status;
        waitpid(child, &status, 0);
        _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 99);
    }
    return -1;
}

int main(int count, char **words)
{
    if (count != 4) return 64;
    // The standard streams are closed in a test.
    FILE *input = fdopen(fcntl(0, F_DUPFD_CLOEXEC, 20), "r");
    output = fdopen(fcntl(1, F_DUPFD_CLOEXEC, 21), "w");
    const struct pam_conv conversation = {converse, NULL};
    int status = pam_start_confdir(words[2], words[3], &conversation, words[1], &handle);
    fprintf(output, "%d 0\n", status);
    fflush(output);
    char line[4096];
    // Without a buffer, so that a forked process continues at the same line.
    setvbuf(input, NULL, _IONBF, 0);
    while (fgets(line, sizeof line, input)) {
        line[strcspn(line, "\n")] = 0;
        char *rest = strchr(line, ' ');
        if (rest != NULL) *rest++ = 0;
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        status = step(line, rest ? rest : "");
        clock_gettime(CLOCK_MONOTONIC, &end);
        double took = (double)(end.tv_sec - start.tv_sec) * 1e3 + (double)(end.tv_nsec - start.tv_nsec) / 1e6;
        fprintf(output, "%d %.3f\n", status, took);
        fflush(output);
    }
    return 0;
}
