// tunecheck-test-shared-files BACKING MOUNT SECONDS: a file system in user space that shows the
// folder BACKING at MOUNT, as another machine sees a folder of a file server: what others create,
// rename or remove there is seen only after SECONDS, because names that were found, and names that
// were not, are remembered for that long. A lock reaches the processes that use the same mount, and
// no others. Runs until it is unmounted.
#define FUSE_USE_VERSION 31
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <fuse.h>
#include <string>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/statvfs.h>

namespace {

std::string backing;
double delay_s = 0;

std::string real(const char* path) {
  return backing + path;
}

int result_of(int returned) {
  return returned == 0 ? 0 : -errno;
}

void* start(fuse_conn_info* /*connection*/, fuse_config* config) {
  config->use_ino = 1;
  config->entry_timeout = config->negative_timeout = delay_s;
  // The size of an open file is asked for anew, as NFS does at each open.
  config->attr_timeout = 0;
  return nullptr;
}

int get_attributes(const char* path, struct stat* status, fuse_file_info* /*file*/) {
  return result_of(::lstat(real(path).c_str(), status));
}

int read_folder(const char* path, void* buffer, fuse_fill_dir_t fill, off_t /*offset*/,
                fuse_file_info* /*file*/, fuse_readdir_flags /*flags*/) {
  DIR* const folder = ::opendir(real(path).c_str());
  if (folder == nullptr) return -errno;
  while (const dirent* const entry = ::readdir(folder))
    if (fill(buffer, entry->d_name, nullptr, 0, fuse_fill_dir_flags{}) != 0) break;
  ::closedir(folder);
  return 0;
}

int open_file(const char* path, fuse_file_info* file) {
  const int opened = ::open(real(path).c_str(), file->flags & ~O_NOFOLLOW);
  if (opened < 0) return -errno;
  file->fh = static_cast<std::uint64_t>(opened);
  return 0;
}

int create_file(const char* path, mode_t mode, fuse_file_info* file) {
  const int opened = ::open(real(path).c_str(), file->flags | O_CREAT, mode);
  if (opened < 0) return -errno;
  file->fh = static_cast<std::uint64_t>(opened);
  return 0;
}

int descriptor_of(const fuse_file_info* file) {
  return static_cast<int>(file->fh);
}

int read_file(const char* /*path*/, char* bytes, size_t size, off_t offset, fuse_file_info* file) {
  const ssize_t got = ::pread(descriptor_of(file), bytes, size, offset);
  return got < 0 ? -errno : static_cast<int>(got);
}

int write_file(const char* /*path*/, const char* bytes, size_t size, off_t offset,
               fuse_file_info* file) {
  const ssize_t written = ::pwrite(descriptor_of(file), bytes, size, offset);
  return written < 0 ? -errno : static_cast<int>(written);
}

int release_file(const char* /*path*/, fuse_file_info* file) {
  return result_of(::close(descriptor_of(file)));
}

int sync_file(const char* /*path*/, int /*data_only*/, fuse_file_info* file) {
  return result_of(::fsync(descriptor_of(file)));
}

int sync_folder(const char* /*path*/, int /*data_only*/, fuse_file_info* /*file*/) {
  return 0;
}

int make_folder(const char* path, mode_t mode) {
  return result_of(::mkdir(real(path).c_str(), mode));
}

int remove_file(const char* path) {
  return result_of(::unlink(real(path).c_str()));
}

int remove_folder(const char* path) {
  return result_of(::rmdir(real(path).c_str()));
}

int rename_file(const char* from, const char* to, unsigned flags) {
  if (flags != 0) return -EINVAL;
  return result_of(::rename(real(from).c_str(), real(to).c_str()));
}

int change_mode(const char* path, mode_t mode, fuse_file_info* /*file*/) {
  return result_of(::chmod(real(path).c_str(), mode));
}

int change_size(const char* path, off_t size, fuse_file_info* /*file*/) {
  return result_of(::truncate(real(path).c_str(), size));
}

int change_times(const char* path, const timespec times[2], fuse_file_info* /*file*/) {
  return result_of(::utimensat(AT_FDCWD, real(path).c_str(), times, AT_SYMLINK_NOFOLLOW));
}

int tell_room(const char* path, struct statvfs* room) {
  return result_of(::statvfs(real(path).c_str(), room));
}

fuse_operations operations() {
  fuse_operations all{};
  all.init = start;
  all.getattr = get_attributes;
  all.readdir = read_folder;
  all.open = open_file;
  all.create = create_file;
  all.read = read_file;
  all.write = write_file;
  all.release = release_file;
  all.fsync = sync_file;
  all.fsyncdir = sync_folder;
  all.mkdir = make_folder;
  all.unlink = remove_file;
  all.rmdir = remove_folder;
  all.rename = rename_file;
  all.chmod = change_mode;
  all.truncate = change_size;
  all.utimens = change_times;
  all.statfs = tell_room;
  return all;
}

}  // namespace

int main(int count, char** values) {
  if (count != 4) {
    std::fprintf(stderr, "usage: %s BACKING MOUNT SECONDS\n", values[0]);
    return 3;
  }
  backing = values[1];
  delay_s = std::atof(values[3]);
  std::string program = values[0], foreground = "-f", mount = values[2];
  char* arguments[] = {program.data(), foreground.data(), mount.data(), nullptr};
  const fuse_operations all = operations();
  return fuse_main(3, arguments, &all, nullptr);
}
