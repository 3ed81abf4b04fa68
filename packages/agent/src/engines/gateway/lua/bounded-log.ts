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

-- To append to, and to look at.
function log.opened(path)
    return ffi.C.mesh_open(path, bit.bor(READ_WRITE, APPEND, CLOSE_ON_EXEC))
end

function log.close(fd)
    ffi.C.mesh_close(fd)
end

function log.is_too_long(fd)
    local size = ffi.C.mesh_seek(fd, 0, SEEK_END)
    if size <= MAX_UNREAD then return false end
    local first = ffi.C.mesh_seek(fd, 0, SEEK_DATA)
    return first ~= -1 and size - first > MAX_UNREAD
end

-- The agent sees by the first line that others are missing.
function log.empty(fd)
    local first = string.format('{"emptied":"%.3f.%d"}\\n', ngx.now(), ngx.worker.pid())
    ffi.C.mesh_truncate(fd, 0)
    ffi.C.mesh_write(fd, first, #first)
end

local own = -1

-- The worker has it open for as long as it runs: closing it would give up the lock of the one that writes.
function log.open(path)
    own = log.opened(path)
    if own == -1 then ngx.log(ngx.ERR, "a log cannot be bounded: ", path) end
end

-- Before a line is written. Those that write lock the whole file, and so does what empties it: no line is cut in two.
function log.keep_short()
    if own == -1 or not log.is_too_long(own) then return end
    local lock = ffi.new("mesh_lock", { type = WRITE_LOCK })
    if ffi.C.mesh_fcntl(own, SET_LOCK, lock) ~= 0 then return end -- the next request tries again
    if log.is_too_long(own) then log.empty(own) end
    lock.type = UNLOCK
    ffi.C.mesh_fcntl(own, SET_LOCK, lock)
end

return log
`;
