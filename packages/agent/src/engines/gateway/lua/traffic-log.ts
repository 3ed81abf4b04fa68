/**
 * Keeps the log of requests short while no agent reads it, once a second. nginx appends whole lines and takes no lock, so that none is cut
 * in two. The agent that reads it sees by the first line that others are missing.
 */
import { GATEWAY_FILES } from '../gateway-files.ts';

export const TRAFFIC_LOG_LUA = `-- Written by the Meshwork agent, and read when nginx loads its configuration.
local bounded = require "mesh_bounded_log"

local log = {}

-- Opened each time: it may be another one by now, and nothing is locked.
local function keep_short(_, path)
    local fd = bounded.opened(path)
    if fd == -1 then return end -- nothing is counted
    if bounded.is_too_long(fd) then bounded.empty(fd) end
    bounded.close(fd)
end

function log.start_worker()
    if ngx.worker.id() ~= 0 then return end
    ngx.timer.every(1, keep_short, ngx.config.prefix() .. "${GATEWAY_FILES.requests}")
end

return log
`;
