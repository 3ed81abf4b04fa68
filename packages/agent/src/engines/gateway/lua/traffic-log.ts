/**
 * Keeps the log of requests short while no agent reads it, once a second. nginx appends whole lines and takes no lock, so that none is cut
 * in two. The agent that reads it sees by the first line that others are missing.
 */
import { MAX_UNREAD_BYTES } from '../followed-log.ts';
import { GATEWAY_FILES } from '../gateway-files.ts';

export const TRAFFIC_LOG_LUA = `-- Written by the Meshwork agent, and read when nginx loads its configuration.
local ffi = require "ffi"
local bit = require "bit"
require "mesh_bounded_log" -- knows the calls of the system

local log = {}

local READ_WRITE, APPEND, CLOSE_ON_EXEC = 0x2, 0x400, 0x80000
local SEEK_END, SEEK_DATA = 2, 3
local MAX_UNREAD = ${MAX_UNREAD_BYTES}

-- Opened each time: it may be another one by now, and nothing is locked.
local function keep_short(_, path)
    local fd = ffi.C.mesh_open(path, bit.bor(READ_WRITE, APPEND, CLOSE_ON_EXEC))
    if fd == -1 then return end -- nothing is counted
    local size = ffi.C.mesh_seek(fd, 0, SEEK_END)
    if size > MAX_UNREAD then
        local first = ffi.C.mesh_seek(fd, 0, SEEK_DATA)
        if first ~= -1 and size - first > MAX_UNREAD then
            local line = string.format('{"emptied":"%.3f.%d"}\\n', ngx.now(), ngx.worker.pid())
            ffi.C.mesh_truncate(fd, 0)
            ffi.C.mesh_write(fd, line, #line)
        end
    end
    ffi.C.mesh_close(fd)
end

function log.start_worker()
    if ngx.worker.id() ~= 0 then return end
    ngx.timer.every(1, keep_short, ngx.config.prefix() .. "${GATEWAY_FILES.requests}")
end

return log
`;
