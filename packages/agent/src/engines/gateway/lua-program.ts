/**
 * What runs inside nginx. In a module and not in a file of its own, because the agent runs from a bundle, which holds no other
 * files. The agent writes it into the gateway's folder, where nginx reads it.
 *
 * No value of a record is ever code: routes and nodes come as JSON, over the private socket or from `live.json`.
 */
export const LUA_MODULE = 'mesh_gateway';

export const LUA_PROGRAM = String.raw`-- Written by the Meshwork agent. What it says is in force after the next reload only.
local balancer = require "ngx.balancer"
local bit = require "bit"
local band, bxor, lshift, rshift, tobit = bit.band, bit.bxor, bit.lshift, bit.rshift, bit.tobit
local get_last_failure, set_current_peer = balancer.get_last_failure, balancer.set_current_peer
local set_more_tries = balancer.set_more_tries
local live, open = ngx.shared.mesh_live, ngx.shared.mesh_open

local gateway = {}

-- A node that just failed is left out for so long, while another is up.
local LEFT_OUT_S = 10
-- Failures after the connection stood, within that time. One may be a kept connection that the node closed meanwhile.
local STRIKES = 3
local MORE_TRIES = 2
-- NGX_BUSY, which means that no node is there. With a status instead, nginx as Debian has it would answer with 500.
local NO_NODE = -3
-- How long clients have to move, once an ingress drains, before their new connections are refused.
local GRACE_S = 10

--------------------------------------------------------------------------------------------------------------------------
-- JSON, as the agent writes it. nginx brings no decoder along.

local ESCAPES = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }
local WORDS = { ["true"] = true, ["false"] = false, null = ngx.null }
local value_at

local function string_at(text, at)
    local last = at
    repeat -- a quote ends it, unless an odd number of backslashes is before it
        last = string.find(text, '"', last + 1, true)
        if not last then error("a string does not end", 0) end
        local _, slashes = string.find(string.reverse(string.sub(text, at + 1, last - 1)), "^\\*")
    until slashes % 2 == 0
    local inside = string.sub(text, at + 1, last - 1)
    if string.find(inside, "\\", 1, true) then
        inside = string.gsub(inside, "\\(.)(%x?%x?%x?%x?)", function(letter, digits)
            if letter ~= "u" then return (ESCAPES[letter] or letter) .. digits end
            local code = tonumber(digits, 16)
            return code < 128 and string.char(code) or "?"
        end)
    end
    return inside, last + 1
end

local function skip(text, at)
    return string.match(text, "^[ \t\r\n]*()", at)
end

local function items_at(text, at, closing, take)
    at = skip(text, at + 1)
    if string.sub(text, at, at) == closing then return at + 1 end
    while true do
        at = skip(text, take(at))
        local mark = string.sub(text, at, at)
        if mark == closing then return at + 1 end
        if mark ~= "," then error("something else than JSON at byte " .. at, 0) end
        at = skip(text, at + 1)
    end
end

-- Calls back with each name, and where its value begins. Answers where the object ends.
local function members_at(text, at, each)
    return items_at(text, at, "}", function(from)
        if string.sub(text, from, from) ~= '"' then error("something else than JSON at byte " .. from, 0) end
        local name, after = string_at(text, from)
        after = skip(text, after)
        if string.sub(text, after, after) ~= ":" then error("something else than JSON at byte " .. after, 0) end
        return each(name, skip(text, after + 1))
    end)
end

function value_at(text, at)
    local first = string.sub(text, at, at)
    if first == '"' then return string_at(text, at) end
    if first == "{" then
        local object = {}
        local after = members_at(text, at, function(name, from)
            local value, ended = value_at(text, from)
            object[name] = value
            return ended
        end)
        return object, after
    end
    if first == "[" then
        local list = {}
        local after = items_at(text, at, "]", function(from)
            local value, ended = value_at(text, from)
            list[#list + 1] = value
            return ended
        end)
        return list, after
    end
    local word, after = string.match(text, "^(%l+)()", at)
    if word and WORDS[word] ~= nil then return WORDS[word], after end
    local number, ended = string.match(text, "^(-?%d+%.?%d*)()", at)
    if not number then error("something else than JSON at byte " .. at, 0) end
    return tonumber(number), ended
end

--------------------------------------------------------------------------------------------------------------------------
-- What the agent has sent. Each generation of the configuration has its own: the same route may mean another service in
-- the next one. Every route is kept by itself, so that a worker decodes only what it uses and what has changed.

local generation, prefix

-- Answers with nil, or with what is wrong.
local function take(text)
    local kept = {}
    local ok, wrong = pcall(function()
        local at = skip(text, 1)
        if string.sub(text, at, at) ~= "{" then error("it is no object", 0) end
        members_at(text, at, function(name, from)
            if name ~= "routes" and name ~= "draining" then
                local _, ended = value_at(text, from)
                return ended
            end
            return members_at(text, from, function(key, begins)
                local _, ended = value_at(text, begins)
                kept[prefix .. name .. "/" .. key] = string.sub(text, begins, ended - 1)
                return ended
            end)
        end)
    end)
    if not ok then return 400, wrong end
    for key, value in pairs(kept) do
        local stored, problem = live:safe_set(key, value)
        if not stored then return 507, problem end
    end
    for _, key in ipairs(live:get_keys(0)) do
        local is_own = string.sub(key, 1, #prefix) == prefix
        if is_own and not kept[key] and key ~= prefix .. "version" then live:delete(key) end
    end
    local version, problem = live:incr(prefix .. "version", 1, 0)
    if not version then return 507, problem end
    return nil
end

-- Called once for each configuration, before there are workers.
function gateway.start(of)
    generation, prefix = of, of .. "/"
    for _, key in ipairs(live:get_keys(0)) do
        -- Workers that finish their requests have decoded what they need.
        if string.sub(key, 1, #prefix) ~= prefix then live:expire(key, 60) end
    end
    if live:get(prefix .. "version") then return end
    local file = io.open(ngx.config.prefix() .. "live.json", "rb")
    if not file then return end
    local text = file:read("*a")
    file:close()
    local status, problem = take(text)
    if status then ngx.log(ngx.ERR, "live.json cannot be used: ", problem) end
end

local routes, routes_version = {}, nil

-- What is spread over nodes goes on where it was, when the nodes of a pool are the same.
local function pool_from(decoded, before)
    local marks = {}
    for index, peer in ipairs(decoded.peers) do
        peer.place = peer.address .. ":" .. peer.port
        peer.seed = tobit(ngx.crc32_long(peer.key))
        peer.current = 0
        marks[index] = peer.key .. "*" .. peer.weight
    end
    local mark = table.concat(marks, " ")
    if before and before.mark == mark then
        before.percent = decoded.percent
        return before
    end
    local pool = { peers = decoded.peers, percent = decoded.percent, mark = mark, current = 0, next = 0, equal = true }
    for _, peer in ipairs(pool.peers) do
        if peer.weight ~= pool.peers[1].weight then pool.equal = false end
    end
    if #pool.peers > 0 then pool.next = math.random(#pool.peers) end -- workers do not all begin with the same node
    return pool
end

local function route_from(key, text, before)
    local decoded = value_at(text, 1)
    local route = { text = text, pools = {}, total = 0, count = 0 }
    route.ingress = string.match(key, "^[^/]+")
    for index, pool in ipairs(decoded.pools) do
        route.pools[index] = pool_from(pool, before and before.pools[index])
        route.count = route.count + #pool.peers
    end
    local kind, of = string.match(decoded.balance, "^([^:]+):?(.*)$")
    route.kind = kind
    if kind == "hash" then
        local what, name = string.match(of, "^([^:]+):?(.*)$")
        if what == "header" then route.variable = "http_" .. string.gsub(string.lower(name), "-", "_")
        elseif what == "cookie" then route.variable = "cookie_" .. name
        else route.variable = what == "path" and "uri" or "remote_addr" end
    end
    return route
end

local function route_of(key)
    local version = live:get(prefix .. "version")
    if version and version ~= routes_version then
        for _, route in pairs(routes) do route.doubtful = true end
        routes_version = version
    end
    local route = routes[key]
    if route and not route.doubtful then return route end
    local text = live:get(prefix .. "routes/" .. key)
    if not text then
        if version then routes[key] = nil end -- without one, what is known still counts
        return version == nil and route or nil
    end
    if not route or route.text ~= text then
        route = route_from(key, text, route)
        routes[key] = route
    end
    route.doubtful = false
    return route
end

--------------------------------------------------------------------------------------------------------------------------
-- Which node gets a request.

local left_out, strikes, active = {}, {}, {}
local till_last = 0 -- until then some node is left out

local function may_get(peer, tried, now)
    if tried and tried[peer.place] then return false end
    local till = left_out[peer.place]
    return now == nil or till == nil or till <= now
end

-- In turn, and no node twice in a row while another has a share left (as nginx itself does it).
local function by_weight(pool, tried, now)
    local peers = pool.peers
    local count = #peers
    if pool.equal then
        for step = 1, count do
            local at = (pool.next + step - 1) % count + 1
            if may_get(peers[at], tried, now) then
                pool.next = at
                return peers[at]
            end
        end
        return nil
    end
    local best, total = nil, 0
    for at = 1, count do
        local peer = peers[at]
        if may_get(peer, tried, now) then
            peer.current = peer.current + peer.weight
            total = total + peer.weight
            if best == nil or peer.current > best.current then best = peer end
        end
    end
    if best then best.current = best.current - total end
    return best
end

-- As this worker knows it. Among equals in turn.
local function by_connections(pool, tried, now)
    local peers = pool.peers
    local count = #peers
    local best, least = nil, 0
    for step = 1, count do
        local at = (pool.next + step - 1) % count + 1
        local peer = peers[at]
        if may_get(peer, tried, now) then
            local load = (active[peer.name] or 0) / peer.weight
            if best == nil or load < least then best, least = at, load end
        end
    end
    if best == nil then return nil end
    pool.next = best
    return peers[best]
end

-- Spreads all bits over all bits (Bob Jenkins' integer hash).
local function mixed(a)
    a = tobit(a + 0x7ed55d16 + lshift(a, 12))
    a = bxor(a, 0xc761c23c, rshift(a, 19))
    a = tobit(a + 0x165667b1 + lshift(a, 5))
    a = bxor(tobit(a + 0xd3a2646c), lshift(a, 9))
    a = tobit(a + 0xfd7046c5 + lshift(a, 3))
    return bxor(a, 0xb55a4f09, rshift(a, 16))
end

-- Each node draws a number for the value, and the best one gets it. So a node that comes or goes moves its own share only,
-- whatever the weights ("rendezvous hashing").
local function by_hash(pool, value, tried, now)
    local peers = pool.peers
    local best, most = nil, 0
    for at = 1, #peers do
        local peer = peers[at]
        if may_get(peer, tried, now) then
            local drawn = (band(mixed(bxor(value, peer.seed)), 0x7fffffff) + 1) / 2147483649
            local score = peer.weight / -math.log(drawn)
            if best == nil or score > most then best, most = peer, score end
        end
    end
    return best
end

-- By the shares of the pools, exactly: of 100 requests in a row, 5 go to one with 5 percent.
local function pool_of(route, value)
    local pools = route.pools
    if #pools == 1 then return pools[1] end
    if value then -- the same value leads to the same version too
        local drawn = band(mixed(value), 0x7fffffff) % 100
        for _, pool in ipairs(pools) do
            if drawn < pool.percent then return pool end
            drawn = drawn - pool.percent
        end
        return pools[1]
    end
    local best, total = nil, 0
    for _, pool in ipairs(pools) do
        pool.current = pool.current + pool.percent
        total = total + pool.percent
        if best == nil or pool.current > best.current then best = pool end
    end
    if best then best.current = best.current - total end
    return best
end

local function peer_in(pool, route, value, tried, now)
    if value then return by_hash(pool, value, tried, now) end
    if route.kind == "least_connections" then return by_connections(pool, tried, now) end
    return by_weight(pool, tried, now)
end

local function choose(route, tried)
    local text = route.variable and ngx.var[route.variable]
    local value = text and text ~= "" and tobit(ngx.crc32_long(text)) or nil -- nothing to go by: in turn
    local chosen = pool_of(route, value)
    if not chosen then return nil end
    local now = till_last > 0 and ngx.now() or nil
    local peer = peer_in(chosen, route, value, tried, now)
    if peer then return peer end
    for _, pool in ipairs(route.pools) do
        peer = pool ~= chosen and pool.percent > 0 and peer_in(pool, route, value, tried, now)
        if peer then return peer end
    end
    -- All have failed lately. They are tried all the same: to answer is better than not to.
    for _, pool in ipairs(route.pools) do
        peer = peer_in(pool, route, value, tried, nil)
        if peer then return peer end
    end
    return nil
end

-- Of the try before this one. What nginx says of tries has a separator behind it, for the one that begins.
local function last_in(list)
    return string.match(list or "", "([^ ,]+)[ ,:]*$") or ""
end

local function failed(place)
    local now = ngx.now()
    for other, till in pairs(left_out) do
        if till <= now then left_out[other] = nil end
    end
    if till_last <= now then till_last = 0 end
    -- "-": the connection was never made.
    local took = last_in(ngx.var.upstream_connect_time)
    local strike = strikes[place]
    if not strike or strike.till <= now then
        strike = { count = 0, till = now + LEFT_OUT_S }
        strikes[place] = strike
    end
    strike.count = strike.count + (took == "-" and STRIKES or 1)
    if strike.count < STRIKES then return end
    strikes[place] = nil
    left_out[place] = now + LEFT_OUT_S
    till_last = now + LEFT_OUT_S
end

local own -- the beginning of what this worker counts

local function count(ingress, by)
    if own then open:incr(own .. ingress, by, 0) end
end

function gateway.balance()
    local var = ngx.var
    local route = route_of(var.mesh_route)
    if not route then return ngx.exit(NO_NODE) end
    local tried
    local is_again = get_last_failure() ~= nil
    if is_again then
        local ctx = ngx.ctx
        tried = ctx.tried or {}
        ctx.tried = tried
        local last = last_in(var.upstream_addr)
        tried[last] = true
        failed(last)
        if route.kind == "least_connections" then active[var.mesh_peer] = (active[var.mesh_peer] or 1) - 1 end
    end
    -- With all nodes tried, the last one again: a kept connection that was closed is no reason to give up.
    local peer = choose(route, tried) or (tried and choose(route, nil))
    if not peer then return ngx.exit(NO_NODE) end
    if not is_again then
        count(route.ingress, 1)
        if route.count > 1 then set_more_tries(MORE_TRIES) end
    end
    var.mesh_peer = peer.name
    if route.kind == "least_connections" then active[peer.name] = (active[peer.name] or 0) + 1 end
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
    local route = routes[key]
    if route and route.kind == "least_connections" then active[peer] = math.max(0, (active[peer] or 1) - 1) end
end

-- Of an ingress that drains. Connections that are there go on, and new ones are refused.
function gateway.drain()
    if ngx.var.connection_requests ~= "1" then return end
    local since = tonumber(live:get(prefix .. "draining/" .. string.match(ngx.var.mesh_route, "^[^/]+")))
    if not since or ngx.time() - since < GRACE_S then return end
    ngx.status = 503
    ngx.header["Retry-After"] = "1"
    ngx.header["Content-Type"] = "text/plain"
    ngx.print("This gateway takes no new connections for this host name.\n")
    return ngx.exit(503)
end

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

function gateway.start_worker()
    own = ngx.worker.pid() .. "/"
    math.randomseed(ngx.now() * 1000 + ngx.worker.pid())
    for _, key in ipairs(open:get_keys(0)) do
        if string.sub(key, 1, #own) == own then open:delete(key) end
    end
end

function gateway.say_generation()
    local known = live:get(prefix .. "version") and generation or generation .. " without upstreams"
    ngx.print('{"generation":"' .. known .. '"}')
end

function gateway.take_live()
    ngx.req.read_body()
    local text = ngx.req.get_body_data()
    local name = not text and ngx.req.get_body_file()
    if name then
        local file = io.open(name, "rb")
        text = file and file:read("*a")
        if file then file:close() end
    end
    local status, problem = take(text or "")
    if status then
        ngx.log(ngx.ERR, "what the agent sent cannot be used: ", problem)
        return ngx.exit(status)
    end
    return ngx.exit(204)
end

function gateway.say_open()
    local master = parent_of("self")
    local alive, sums, parts = {}, {}, {}
    for _, key in ipairs(open:get_keys(0)) do
        local pid, ingress = string.match(key, "^(%d+)/(.+)$")
        if pid and alive[pid] == nil then alive[pid] = parent_of(pid) == master end
        if not pid or not alive[pid] then
            open:delete(key)
        else
            sums[ingress] = (sums[ingress] or 0) + (open:get(key) or 0)
        end
    end
    for ingress, sum in pairs(sums) do
        parts[#parts + 1] = '"' .. ingress .. '":' .. string.format("%d", math.max(0, sum))
    end
    ngx.print("{" .. table.concat(parts, ",") .. "}")
end

return gateway
`;
