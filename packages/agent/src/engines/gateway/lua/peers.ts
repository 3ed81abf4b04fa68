/** Which node of a service gets a request. */
export const PEERS_LUA = `-- Written by the Meshwork agent, and read when nginx loads its configuration.
local bit = require "bit"
local band, bxor, lshift, rshift, tobit = bit.band, bit.bxor, bit.lshift, bit.rshift, bit.tobit

local peers = {}

-- A node that just failed is left out for so long, while another is up.
local LEFT_OUT_S = 10
-- Failures after the connection stood, within that time. One may be a kept connection that the node closed meanwhile.
local STRIKES = 3

local left_out, strikes, active = {}, {}, {}
local till_last = 0 -- until then some node is left out

local function may_get(peer, tried, now)
    if tried and tried[peer.place] then return false end
    local till = left_out[peer.place]
    return now == nil or till == nil or till <= now
end

-- In turn, and no node twice in a row while another has a share left (as nginx itself does it).
local function by_weight(pool, tried, now)
    local all = pool.peers
    local count = #all
    if pool.equal then
        for step = 1, count do
            local at = (pool.next + step - 1) % count + 1
            if may_get(all[at], tried, now) then
                pool.next = at
                return all[at]
            end
        end
        return nil
    end
    local best, total = nil, 0
    for at = 1, count do
        local peer = all[at]
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
    local all = pool.peers
    local count = #all
    local best, least = nil, 0
    for step = 1, count do
        local at = (pool.next + step - 1) % count + 1
        local peer = all[at]
        if may_get(peer, tried, now) then
            local load = (active[peer.name] or 0) / peer.weight
            if best == nil or load < least then best, least = at, load end
        end
    end
    if best == nil then return nil end
    pool.next = best
    return all[best]
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
    local all = pool.peers
    local best, most = nil, 0
    for at = 1, #all do
        local peer = all[at]
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
    if route.counts then return by_connections(pool, tried, now) end
    return by_weight(pool, tried, now)
end

function peers.choose(route, tried)
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

-- "took": how long it took to connect. "-": the connection was never made.
function peers.failed(place, took)
    local now = ngx.now()
    for other, till in pairs(left_out) do
        if till <= now then left_out[other] = nil end
    end
    if till_last <= now then till_last = 0 end
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

-- How many requests each node has, as this worker knows it.
function peers.begin(route, peer)
    if route.counts then active[peer.name] = (active[peer.name] or 0) + 1 end
end

function peers.finish(route, peer)
    if route.counts then active[peer.name] = math.max(0, (active[peer.name] or 1) - 1) end
end

return peers
`;
