import { DRAIN_GRACE_S } from '../live-state.ts';

/** What nginx calls: for each request, and for what the agent asks over the private socket. */
export const GATEWAY_LUA = `-- Written by the Meshwork agent, and read when nginx loads its configuration.
local balancer = require "ngx.balancer"
local cuts = require "mesh_cuts"
local live = require "mesh_live"
local peers = require "mesh_peers"
local proofs = require "mesh_proofs"
local get_last_failure, set_current_peer = balancer.get_last_failure, balancer.set_current_peer
local set_more_tries = balancer.set_more_tries
local open = ngx.shared.mesh_open

local gateway = {}

local MORE_TRIES = 2
-- NGX_BUSY, which means that no node is there. With a status instead, nginx as Debian has it would answer with 500.
local NO_NODE = -3
local GRACE_S = ${DRAIN_GRACE_S}

local generation

-- Called once for each configuration, before there are workers.
function gateway.start(of)
    generation = of
    live.start(of)
    gateway.identity.start()
end

local WORKER, LOST_WORKERS = "worker ", "lost workers"
local own -- the beginning of what this worker counts

local function count(ingress, by)
    if own then open:incr(own .. ingress, by, 0) end
end

-- Of the try before this one. What nginx says of tries has a separator behind it, for the one that begins.
local function last_in(list)
    return string.match(list or "", "([^ ,]+)[ ,:]*$") or ""
end

function gateway.balance()
    local var = ngx.var
    local route = live.route_of(var.mesh_route)
    if not route then return ngx.exit(NO_NODE) end
    local tried
    local is_again = get_last_failure() ~= nil
    if is_again then
        local ctx = ngx.ctx
        tried = ctx.tried or {}
        ctx.tried = tried
        local last = last_in(var.upstream_addr)
        tried[last] = true
        peers.failed(last, last_in(var.upstream_connect_time))
        peers.finish(route, var.mesh_peer)
    end
    -- With all nodes tried, the last one again: a kept connection that was closed is no reason to give up.
    local peer = peers.choose(route, tried) or (tried and peers.choose(route, nil))
    if not peer then return ngx.exit(NO_NODE) end
    if not is_again then
        count(route.ingress, 1)
        cuts.begin(route.ingress)
        if route.count > 1 then set_more_tries(MORE_TRIES) end
    end
    var.mesh_peer = peer.name
    peers.begin(route, peer)
    local ok, problem = set_current_peer(peer.address, peer.port)
    if ok then return end
    ngx.log(ngx.ERR, "a node cannot be reached at ", peer.place, ": ", problem)
    return ngx.exit(ngx.DECLINED)
end

-- Also for a request whose client has gone. One that never got as far as a node was not counted.
function gateway.log()
    local var = ngx.var
    local peer = var.mesh_peer
    if not peer or peer == "" then return end
    local key = var.mesh_route
    count(string.match(key, "^[^/]+"), -1)
    cuts.finish()
    local route = live.last_known(key)
    if route then peers.finish(route, peer) end
end

-- Of an ingress that drains. Connections that are there go on, and new ones are refused. After the deadline, everything is.
function gateway.drain()
    local ingress = string.match(ngx.var.mesh_route, "^[^/]+")
    if cuts.has_ended(ingress) then return ngx.exit(503) end
    if ngx.var.connection_requests ~= "1" then return end
    local since = live.draining_since(ingress)
    if not since or ngx.time() - since < GRACE_S then return end
    return ngx.exit(503)
end

-- Of a route that takes no bodies. nginx lets one byte in for us.
function gateway.refuse_body()
    ngx.req.read_body()
    local body = ngx.req.get_body_data()
    if body and body ~= "" or ngx.req.get_body_file() then return ngx.exit(413) end
end

-- Empty: there is to be none.
function gateway.say_server()
    ngx.header["Server"] = ngx.var.mesh_server
end

function gateway.say_proof()
    return proofs.say(generation)
end

gateway.redirect = require "mesh_redirects"
gateway.own_answers = require "mesh_own_answers"
gateway.identify = require "mesh_certificates"
gateway.identity = require "mesh_identity"
gateway.bounded_log = require "mesh_bounded_log"

--------------------------------------------------------------------------------------------------------------------------
-- What the agent asks.

-- A worker that has died leaves its counts. Workers of an earlier configuration are there until their requests have ended.
local function parent_of(pid)
    local file = io.open("/proc/" .. pid .. "/stat", "rb")
    if not file then return nil end
    local text = file:read("*a")
    file:close()
    return string.match(text, "^.*%) %u (%d+)")
end

function gateway.start_worker(log)
    own = ngx.worker.pid() .. "/"
    math.randomseed(ngx.now() * 1000 + ngx.worker.pid())
    for _, key in ipairs(open:get_keys(0)) do
        if string.sub(key, 1, #own) == own then open:delete(key) end
    end
    if not open:add(WORKER .. ngx.worker.pid(), 0) then open:incr(LOST_WORKERS, 1, 0) end -- another one had its number
    cuts.start_worker()
    if log then gateway.bounded_log.open(log) end
    require("mesh_traffic_log").start_worker()
end

-- Not called when it is killed. One that is ended in the middle of requests leaves what it counts, and so is known to have lost them.
function gateway.end_worker()
    for _, key in ipairs(open:get_keys(0)) do
        if string.sub(key, 1, #own) == own and (open:get(key) or 0) > 0 then return end
    end
    open:delete(WORKER .. ngx.worker.pid())
end

-- Workers that are gone and did not end as they should, since nginx was started.
local function lost_workers(master)
    for _, key in ipairs(open:get_keys(0)) do
        local pid = string.match(key, "^worker (%d+)$")
        if pid and parent_of(pid) ~= master then
            open:delete(key)
            open:incr(LOST_WORKERS, 1, 0)
        end
    end
    return open:get(LOST_WORKERS) or 0
end

function gateway.say_generation()
    local known = live.is_known() and generation or generation .. " without upstreams"
    ngx.print('{"generation":"' .. known .. '"}')
end

local function body_text()
    ngx.req.read_body()
    local text = ngx.req.get_body_data()
    local name = not text and ngx.req.get_body_file()
    if name then
        local file = io.open(name, "rb")
        text = file and file:read("*a")
        if file then file:close() end
    end
    return text or ""
end

local function taken(status, problem)
    if status then
        ngx.log(ngx.ERR, "what the agent sent cannot be used: ", problem)
        return ngx.exit(status)
    end
    return ngx.exit(204)
end

function gateway.take_live()
    return taken(live.take(body_text()))
end

function gateway.take_identities()
    return taken(gateway.identity.take(body_text()))
end

function gateway.take_proof()
    return taken(proofs.take(body_text()))
end

function gateway.say_open()
    local master = parent_of("self")
    local alive, sums, parts = {}, {}, {}
    for _, key in ipairs(open:get_keys(0)) do
        local pid, ingress = string.match(key, "^(%d+)/(.+)$")
        if pid and alive[pid] == nil then alive[pid] = parent_of(pid) == master end
        if pid and not alive[pid] then
            open:delete(key)
        elseif pid then
            sums[ingress] = (sums[ingress] or 0) + (open:get(key) or 0)
        end
    end
    for ingress, sum in pairs(sums) do
        parts[#parts + 1] = '"' .. ingress .. '":' .. string.format("%d", math.max(0, sum))
    end
    ngx.print("{" .. table.concat(parts, ",") .. "}")
end

-- With the process, as another one counts from zero.
function gateway.say_cuts()
    local master = parent_of("self")
    local parts = { '"nginx":' .. master, '"lost_workers":' .. lost_workers(master) }
    for of, count in pairs(cuts.counts()) do parts[#parts + 1] = '"' .. of .. '":' .. string.format("%d", count) end
    ngx.print("{" .. table.concat(parts, ",") .. "}")
end

return gateway
`;
