/** The processes of nginx that take requests, and which of them were lost. */
export const WORKERS_LUA = `-- Written by the Meshwork agent, and read when nginx loads its configuration.
local counts = require "mesh_counts"
local noted = ngx.shared.mesh_workers

local workers = {}

local WORKER, LOST = "worker ", "lost workers"

-- Nil: it has ended.
local function parent_of(pid)
    local file = io.open("/proc/" .. pid .. "/stat", "rb")
    if not file then return nil end
    local text = file:read("*a")
    file:close()
    return string.match(text, "^.*%) %u (%d+)")
end

-- The process that started this one.
function workers.master()
    return parent_of("self")
end

-- Workers of an earlier configuration are there until their requests have ended.
function workers.is_one(pid)
    return parent_of(pid) == workers.master()
end

function workers.start()
    counts.start_worker()
    if not noted:add(WORKER .. ngx.worker.pid(), 0) then noted:incr(LOST, 1, 0) end -- another one had its number
end

-- Not called when it is killed. One that is ended in the middle of requests leaves what it counts, and so is known to have lost them.
function workers.finish()
    if counts.is_busy() then return end
    noted:delete(WORKER .. ngx.worker.pid())
end

-- How many are gone and did not end as they should, since nginx was started.
function workers.lost()
    for _, key in ipairs(noted:get_keys(0)) do
        local pid = string.match(key, "^worker (%d+)$")
        if pid and not workers.is_one(pid) then
            noted:delete(key)
            noted:incr(LOST, 1, 0)
        end
    end
    return noted:get(LOST) or 0
end

return workers
`;
