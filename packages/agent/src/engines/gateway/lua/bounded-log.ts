/** A log that a module of nginx writes without an end, kept below a size while it is not read: see `../followed-log.ts`. */
import { MAX_UNREAD_BYTES } from '../followed-log.ts';

export const BOUNDED_LOG_LUA = `-- Written by the Meshwork agent, and read when nginx loads its configuration.
local bit = require "bit"
local ffi = require "ffi"

ffi.cdef [[
typedef struct { short type; short whence; int64_t start; int64_t length; int pid; } mesh_lock;
int mesh_open(const char *path, int flags, ...) __asm__("open");
int mesh_fcntl(int fd, int command, ...) __asm__("fcntl");
int64_t mesh_seek(int fd, int64_t offset, int whence) __asm__("lseek");
int mesh_close(int fd) __asm__("close");
int mesh_truncate(int fd, int64_t length) __asm__("ftruncate");
int64_t mesh_write(int fd, const char *text, size_t length) __asm__("write");
]]

local log = {}

-- Of Linux. A place that was given back is a hole: what was not read begins behind it.
local READ_WRITE, APPEND, CLOSE_ON_EXEC = 0x2, 0x400, 0x80000
local SEEK_END, SEEK_DATA = 2, 3
local SET_LOCK, WRITE_LOCK, UNLOCK = 6, 1, 2
local MAX_UNREAD = ${MAX_UNREAD_BYTES}

local fd = -1

-- The worker has it open for as long as it runs: closing it would give up the lock of the one that writes.
function log.open(path)
    fd = ffi.C.mesh_open(path, bit.bor(READ_WRITE, APPEND, CLOSE_ON_EXEC))
    if fd == -1 then ngx.log(ngx.ERR, "a log cannot be bounded: ", path) end
end

local function is_too_long()
    local size = ffi.C.mesh_seek(fd, 0, SEEK_END)
    if size <= MAX_UNREAD then return false end
    local first = ffi.C.mesh_seek(fd, 0, SEEK_DATA)
    return first ~= -1 and size - first > MAX_UNREAD
end

-- Before a line is written. Those that write lock the whole file, and so does what empties it: no line is cut in two. The agent
-- sees by the first line that others are missing.
function log.keep_short()
    if fd == -1 or not is_too_long() then return end
    local lock = ffi.new("mesh_lock", { type = WRITE_LOCK })
    if ffi.C.mesh_fcntl(fd, SET_LOCK, lock) ~= 0 then return end -- the next request tries again
    if is_too_long() then
        local first = string.format('{"emptied":"%.3f.%d"}\\n', ngx.now(), ngx.worker.pid())
        ffi.C.mesh_truncate(fd, 0)
        ffi.C.mesh_write(fd, first, #first)
    end
    lock.type = UNLOCK
    ffi.C.mesh_fcntl(fd, SET_LOCK, lock)
end

return log
`;
