import { DRAIN_GRACE_S } from '../live-state.ts';

/** What a drain takes no more. */
export const DRAINS_LUA = `-- Written by the Meshwork agent, and read when nginx loads its configuration.
local cuts = require "mesh_cuts"
local live = require "mesh_live"

local drains = {}

local GRACE_S = ${DRAIN_GRACE_S}

-- Connections that are there go on until the deadline, and new ones are refused. After the deadline, everything is.
function drains.refuses(ingress)
    if cuts.has_ended(ingress) then return true end
    if ngx.var.connection_requests ~= "1" then return false end
    local since = live.draining_since(ingress)
    return since ~= nil and ngx.time() - since >= GRACE_S
end

return drains
`;
