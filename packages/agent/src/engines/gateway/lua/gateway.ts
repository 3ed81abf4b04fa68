/** What nginx calls: for each request, and for what the agent asks over the private socket. */
export const GATEWAY_LUA = `-- Written by the Meshwork agent, and read when nginx loads its configuration.
local balancer = require "ngx.balancer"
local challenges = require "mesh_challenges"
local counts = require "mesh_counts"
local cuts = require "mesh_cuts"
local drains = require "mesh_drains"
local live = require "mesh_live"
local peers = require "mesh_peers"
local proofs = require "mesh_proofs"
local requests = require "mesh_requests"
local workers = require "mesh_workers"
local get_last_failure, set_current_peer = balancer.get_last_failure, balancer.set_current_peer
local set_more_tries, exit = balancer.set_more_tries, ngx.exit

local gateway = {}

local MORE_TRIES = 2
-- NGX_BUSY, which means that no node is there. With a status instead, nginx as Debian has it would answer with 500.
local NO_NODE = -3

local generation

-- Called once for each configuration, before there are workers.
function gateway.start(of)
    generation = of
    counts.start()
    live.start(of)
    gateway.identity.start()
end

local function count(route, by)
    local number = route.number
    if not number then
        number = counts.number_of(route.ingress)
        route.number = number
    end
    counts.add(number, by)
end

-- Why a request was sent to no node. The words for it are in the configuration.
local function unsent(why)
    ngx.var.mesh_unsent = why
    return exit(NO_NODE)
end

-- Of the try before this one. What nginx says of tries has a separator behind it, for the one that begins.
local function last_in(list)
    return string.match(list or "", "([^ ,]+)[ ,:]*$") or ""
end

-- Which node gets a request that another one did not answer.
local function next_peer(route)
    local var, ctx = ngx.var, ngx.ctx
    local tried = ctx.tried or {}
    ctx.tried = tried
    local last = last_in(var.upstream_addr)
    tried[last] = true
    peers.failed(last, last_in(var.upstream_connect_time))
    -- With all nodes tried, the last one again: a kept connection that was closed is no reason to give up.
    local peer = peers.choose(route, tried) or peers.choose(route, nil)
    if peer then peers.finish(requests.move(route, peer)) end
    return peer
end

local keys = {} -- of routes, by the number of their upstream

-- Whatever only some requests need is in functions of its own, so that LuaJIT compiles the rest.
local function balance(number, is_named)
    local key = keys[number]
    if not key then
        key = ngx.var.mesh_route
        keys[number] = key
    end
    local route = live.route_of(key)
    local is_again = get_last_failure() ~= nil
    local peer
    if is_again then
        peer = route and next_peer(route)
        if not peer then return exit(NO_NODE) end
    else
        if not route then return unsent("absent") end
        if route.drains and drains.refuses(route.ingress) then return unsent("draining") end
        peer = peers.choose(route, nil)
        if not peer then return unsent("absent") end
        count(route, 1)
        requests.begin(route, peer)
        if route.count > 1 then set_more_tries(MORE_TRIES) end
    end
    if is_named then ngx.var.mesh_peer = peer.name end
    peers.begin(route, peer)
    local ok, problem = set_current_peer(peer.address, peer.port)
    if ok then return end
    ngx.log(ngx.ERR, "a node cannot be reached at ", peer.place, ": ", problem)
    return exit(ngx.DECLINED)
end

function gateway.balance(number)
    return balance(number, false)
end

-- Of a route whose nodes have to prove who they are: nginx has to know the name.
function gateway.balance_named(number)
    return balance(number, true)
end

-- Also for a request whose client has gone. One that never got as far as a node was not counted.
function gateway.log()
    local route, peer, request = requests.finish()
    if not route then return end
    count(route, -1)
    cuts.finish(request)
    peers.finish(route, peer)
end

-- Of an ingress that drains.
function gateway.drain()
    if drains.refuses(string.match(ngx.var.mesh_route, "^[^/]+")) then return exit(503) end
end

-- Of a route that takes no bodies. nginx lets one byte in for us.
function gateway.refuse_body()
    ngx.req.read_body()
    local body = ngx.req.get_body_data()
    if body and body ~= "" or ngx.req.get_body_file() then return exit(413) end
end

-- Empty: there is to be none.
function gateway.say_server()
    ngx.header["Server"] = ngx.var.mesh_server
end

function gateway.say_proof()
    return proofs.say(generation)
end

gateway.say_challenge = challenges.say

gateway.redirect = require "mesh_redirects"
gateway.own_answers = require "mesh_own_answers"
gateway.identify = require "mesh_certificates"
gateway.identity = require "mesh_identity"
gateway.show_certificate = require "mesh_shown"
gateway.sign_in = require "mesh_sign_in"
gateway.bounded_log = require "mesh_bounded_log"

--------------------------------------------------------------------------------------------------------------------------
-- What the agent asks.

function gateway.start_worker(log)
    math.randomseed(ngx.now() * 1000 + ngx.worker.pid())
    workers.start()
    cuts.start_worker()
    if log then gateway.bounded_log.open(log) end
    require("mesh_traffic_log").start_worker()
end

gateway.end_worker = workers.finish

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
        return exit(status)
    end
    return exit(204)
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

function gateway.take_challenge()
    return taken(challenges.take(body_text()))
end

function gateway.say_open()
    local sums, parts = counts.sums(workers.is_one), {}
    if not sums then return exit(507) end
    for ingress, sum in pairs(sums) do
        parts[#parts + 1] = '"' .. ingress .. '":' .. string.format("%d", math.max(0, sum))
    end
    ngx.print("{" .. table.concat(parts, ",") .. "}")
end

-- With the process, as another one counts from zero.
function gateway.say_cuts()
    local parts = { '"nginx":' .. workers.master(), '"lost_workers":' .. workers.lost() }
    for of, count in pairs(cuts.counts()) do parts[#parts + 1] = '"' .. of .. '":' .. string.format("%d", count) end
    ngx.print("{" .. table.concat(parts, ",") .. "}")
end

return gateway
`;
