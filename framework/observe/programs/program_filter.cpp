#include "observe/programs/program_filter.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <poll.h>
#include <unistd.h>
#include <utility>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "core/command.hpp"

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

namespace tunecheck {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t native = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t native = AUDIT_ARCH_AARCH64;
#else
#error "the number of this architecture is not known here"
#endif

// A numbered argument's lower half: the machines above are little-endian.
constexpr std::uint32_t argument(std::uint32_t number) {
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args)) +
         static_cast<std::uint32_t>(sizeof(std::uint64_t)) * number;
}

sock_filter statement(int code, std::uint32_t value) {
  return {static_cast<std::uint16_t>(code), 0, 0, value};
}
// Jumps over so many statements.
sock_filter jump(int code, std::uint32_t value, int if_true, int if_false) {
  return {static_cast<std::uint16_t>(code), static_cast<std::uint8_t>(if_true),
          static_cast<std::uint8_t>(if_false), value};
}

constexpr int load = BPF_LD | BPF_W | BPF_ABS;
constexpr int equal = BPF_JMP | BPF_JEQ | BPF_K;
constexpr int any_bit = BPF_JMP | BPF_JSET | BPF_K;

// Blocks that each look at one system call, and end with another one if it is not theirs.
class Blocks {
 public:
  Blocks() {
    add({statement(load, offsetof(seccomp_data, arch)), jump(equal, native, 1, 0), allow()});
  }

  void ask_about(long call) { add({number(), is(call, 1), ask()}); }
  void ask_about_code(long call) {
    add({number(), is(call, 5), statement(load, argument(2)), jump(any_bit, PROT_EXEC, 0, 3),
         statement(load, argument(3)), jump(any_bit, MAP_ANONYMOUS, 1, 0), ask()});
  }
  void refuse(long call, std::uint32_t index, pid_t value) {
    add({number(), is(call, 3), statement(load, argument(index)),
         jump(equal, static_cast<std::uint32_t>(value), 0, 1),
         statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)});
  }
  std::vector<sock_filter> take() {
    add({allow()});
    return std::move(m_program);
  }

 private:
  static sock_filter number() { return statement(load, offsetof(seccomp_data, nr)); }
  static sock_filter is(long call, int rest) {
    return jump(equal, static_cast<std::uint32_t>(call), 0, rest);
  }
  static sock_filter allow() { return statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW); }
  static sock_filter ask() { return statement(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF); }
  void add(std::initializer_list<sock_filter> block) { m_program.insert(m_program.end(), block); }

  std::vector<sock_filter> m_program;
};

int install(const std::vector<sock_filter>& program, unsigned long flags) noexcept {
  const sock_fprog filter{static_cast<unsigned short>(program.size()),
                          const_cast<sock_filter*>(program.data())};
  return static_cast<int>(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter));
}

// Room for one descriptor beside a message.
union Control {
  cmsghdr header;
  std::array<char, CMSG_SPACE(sizeof(int))> bytes;
};

void send(int socket, int error, int descriptor) noexcept {
  std::array<iovec, 1> data{{{&error, sizeof error}}};
  Control control{};
  msghdr message{};
  message.msg_iov = data.data();
  message.msg_iovlen = data.size();
  if (descriptor >= 0) {
    message.msg_control = control.bytes.data();
    message.msg_controllen = control.bytes.size();
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  while (::sendmsg(socket, &message, MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
}

std::string refusal(int error) {
  return fmt::format(
      "the kernel does not let it be asked about programs (seccomp notification): {}",
      std::strerror(error));
}

}  // namespace

ProgramFilter::ProgramFilter(bool protects_maker) {
  Blocks blocks;
  blocks.ask_about(SYS_execve);
  blocks.ask_about(SYS_execveat);
  blocks.ask_about_code(SYS_mmap);
  if (!protects_maker) {
    m_program = blocks.take();
    return;
  }
  const pid_t judge = ::getpid();
  for (const pid_t target : {judge, -1, -::getpgrp()})
    blocks.refuse(SYS_kill, 0, target);
  for (const long call : {SYS_tgkill, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo,
                          SYS_pidfd_open, SYS_process_vm_writev, SYS_prlimit64})
    blocks.refuse(call, 0, judge);
  blocks.refuse(SYS_ptrace, 1, judge);
  m_program = blocks.take();
}

void ProgramFilter::install_here(int socket) const noexcept {
  // Without this flag the kernel would turn off speculation in the process, and slow it down.
  constexpr unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
  int listener = -1;
  int error = 0;
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
    // A signal must not make it ask twice: from Linux 5.19 on.
    listener = install(m_program, flags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV);
    if (listener < 0 && errno == EINVAL) listener = install(m_program, flags);
  }
  if (listener < 0) error = errno;
  send(socket, error, listener);
  if (listener >= 0) ::close(listener);
}

Result<FileDescriptor> receive_listener(int socket, int stop) {
  std::array<pollfd, 2> watched{{{socket, POLLIN, 0}, {stop, POLLIN, 0}}};
  while (::poll(watched.data(), watched.size(), -1) < 0 && errno == EINTR) {
  }
  if (watched[0].revents == 0) return failure(ErrorKind::machine, "the process was never started");
  int error = 0;
  std::array<iovec, 1> data{{{&error, sizeof error}}};
  Control control{};
  msghdr message{};
  message.msg_iov = data.data();
  message.msg_iovlen = data.size();
  message.msg_control = control.bytes.data();
  message.msg_controllen = control.bytes.size();
  const ssize_t got = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (got != static_cast<ssize_t>(sizeof error))
    return failure(ErrorKind::machine, "the process ended before it was started");
  const cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS)
    return failure(ErrorKind::unsupported, "{}", refusal(error));
  int listener = -1;
  std::memcpy(&listener, CMSG_DATA(header), sizeof listener);
  return FileDescriptor(listener);
}

std::string why_programs_are_not_seen() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return last_system_error();
  const FileDescriptor own(ends[0]);
  FileDescriptor child_end(ends[1]);
  const ProgramFilter filter;
  pid_t child = -1;
  {
    const std::scoped_lock nobody_starts(starting_mutex());
    child = ::fork();
  }
  if (child < 0) return last_system_error();
  if (child == 0) {
    filter.install_here(child_end.get());
    ::_exit(0);
  }
  child_end.reset();
  const auto listener = receive_listener(own.get(), -1);
  ::waitpid(child, nullptr, 0);
  return listener ? "" : listener.error().message;
}

}  // namespace tunecheck
