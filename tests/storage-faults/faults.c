// A library for LD_PRELOAD: the calls with which SQLite writes the ledger's files fail while the file that FAULT_CONTROL
// names exists. Its first letter says how: w (write: EIO), n (write: ENOSPC), s (every other write is short), f (fsync:
// EIO), r (read: EIO).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int fault(int fd) {
  const char *control = getenv("FAULT_CONTROL");
  if (control == NULL) return 0;
  int file = syscall(SYS_openat, AT_FDCWD, control, O_RDONLY);
  if (file < 0) return 0;
  char kind = 0, link[64], path[512];
  if (syscall(SYS_read, file, &kind, 1) != 1) kind = 0;
  syscall(SYS_close, file);
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strstr(path, ".db") == NULL ? 0 : kind;
}

static int fails(int error) {
  errno = error;
  return -1;
}

#define REAL(name) (real == NULL ? (real = dlsym(RTLD_NEXT, name)) : real)

ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t at) {
  static ssize_t (*real)(int, const void *, size_t, off_t);
  static int turn;
  switch (fault(fd)) {
    case 'w': return fails(EIO);
    case 'n': return fails(ENOSPC);
    case 's': if (++turn % 2 == 0 && count > 1) return REAL("pwrite64")(fd, bytes, count / 2, at);
  }
  return REAL("pwrite64")(fd, bytes, count, at);
}
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) { return pwrite64(fd, bytes, count, at); }

ssize_t pread64(int fd, void *bytes, size_t count, off_t at) {
  static ssize_t (*real)(int, void *, size_t, off_t);
  return fault(fd) == 'r' ? fails(EIO) : REAL("pread64")(fd, bytes, count, at);
}
ssize_t pread(int fd, void *bytes, size_t count, off_t at) { return pread64(fd, bytes, count, at); }

int fsync(int fd) {
  static int (*real)(int);
  return fault(fd) == 'f' ? fails(EIO) : REAL("fsync")(fd);
}
int fdatasync(int fd) {
  static int (*real)(int);
  return fault(fd) == 'f' ? fails(EIO) : REAL("fdatasync")(fd);
}
