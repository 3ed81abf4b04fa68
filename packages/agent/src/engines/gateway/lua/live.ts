/**
 * What the agent has sent. Each generation of the configuration has its own: the same route may mean another service in the next
 * one. Every route is kept by itself, so that a worker decodes only what it uses and what has changed.
 */
export const LIVE_LUA = `-- Written by the Meshwork agent, and read when nginx loads its configuration.
local cuts = require "mesh_cuts"
local json = require "mesh_json"
local bit = require "bit"
local kept_live = ngx.shared.mesh_live
local ngx_now = ngx.now

-- Each by a key of its own.
local PARTS = { routes = true, draining = true, ended = true, certificates = true }

local live = {}
local prefix, version_key

-- Answers with nil, or with what is wrong.
function live.take(text)
    local kept, orders = {}, {}
    local ok, wrong = pcall(function()
        local at = json.skip(text, 1)
        if string.sub(text, at, at) ~= "{" then error("it is no object", 0) end
        json.members_at(text, at, function(name, from)
            if not PARTS[name] then
                local _, ended = json.value_at(text, from)
                return ended
            end
            return json.members_at(text, from, function(key, begins)
                local _, ended = json.value_at(text, begins)
                local value = string.sub(text, begins, ended - 1)
                if name == "ended" then orders[key] = value else kept[prefix .. name .. "/" .. key] = value end
                return ended
            end)
        end)
    end)
    if not ok then return 400, wrong end
    for key, value in pairs(kept) do
        local stored, problem = kept_live:safe_set(key, value)
        if not stored then return 507, problem end
    end
    for _, key in ipairs(kept_live:get_keys(0)) do
        local is_own = string.sub(key, 1, #prefix) == prefix
        if is_own and not kept[key] and key ~= version_key then kept_live:delete(key) end
    end
    local unkept = cuts.take(orders)
    if unkept then return 507, unkept end
    local version, problem = kept_live:incr(version_key, 1, 0)
    if not version then return 507, problem end
    kept_live:expire(version_key, 0) -- a generation may come back that was about to be dropped
    return nil
end

-- Called once for each configuration, before there are workers.
function live.start(generation)
    prefix, version_key = generation .. "/", generation .. "/version"
    for _, key in ipairs(kept_live:get_keys(0)) do
        -- Workers before these take connections for a moment more.
        if string.sub(key, 1, #prefix) ~= prefix then kept_live:expire(key, 10) end
    end
    kept_live:flush_expired()
    local file = io.open(ngx.config.prefix() .. "live.json", "rb")
    if not file then return end
    local text = file:read("*a")
    file:close()
    local status, problem = live.take(text)
    if status then ngx.log(ngx.ERR, "live.json cannot be used: ", problem) end
end

-- Whether the agent has sent something for this generation, or has left it in the file.
function live.is_known()
    return kept_live:get(version_key) ~= nil
end

-- Another one: something has been sent since.
function live.version()
    return kept_live:get(version_key)
end

-- The ingress whose certificate is shown for a host name. Nil: none.
function live.certificate_of(hostname)
    local text = kept_live:get(prefix .. "certificates/" .. hostname)
    return text and json.value_at(text, 1)
end

-- In seconds of Unix time. Nil: it does not drain.
function live.draining_since(ingress)
    return tonumber(kept_live:get(prefix .. "draining/" .. ingress))
end

local routes, routes_version = {}, nil
local is_gone = false -- whether nothing is known for this generation any more

-- What is spread over nodes goes on where it was, when the nodes of a pool are the same.
local function pool_from(decoded, before)
    local marks = {}
    for index, peer in ipairs(decoded.peers) do
        peer.place = peer.address .. ":" .. peer.port
        peer.seed = bit.tobit(ngx.crc32_long(peer.key))
        peer.current = 0
        marks[index] = peer.key .. " " .. peer.name .. "*" .. peer.weight
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
    local decoded = json.value_at(text, 1)
    local route = { text = text, pools = {}, total = 0, count = 0 }
    route.ingress = string.match(key, "^[^/]+")
    for index, pool in ipairs(decoded.pools) do
        route.pools[index] = pool_from(pool, before and before.pools[index])
        route.count = route.count + #pool.peers
    end
    local kind, of = string.match(decoded.balance, "^([^:]+):?(.*)$")
    route.kind = kind
    route.counts = kind == "least_connections"
    if kind == "hash" then
        local what, name = string.match(of, "^([^:]+):?(.*)$")
        if what == "header" then route.variable = "http_" .. string.gsub(string.lower(name), "-", "_")
        elseif what == "cookie" then route.variable = "cookie_" .. name
        else route.variable = what == "path" and "uri" or "remote_addr" end
    end
    return route
end

-- Once in a turn of the event loop is enough: what comes in meanwhile is read in the next one.
local looked_at

local function look()
    local now = ngx_now()
    if now == looked_at then return end
    looked_at = now
    local version = kept_live:get(version_key)
    is_gone = version == nil
    if version and version ~= routes_version then
        for _, route in pairs(routes) do route.doubtful = true end
        routes_version = version
    end
end

local function read(key)
    local route = routes[key]
    local text = kept_live:get(prefix .. "routes/" .. key)
    if not text then
        if not is_gone then routes[key] = nil end -- without a version, what is known still counts
        return is_gone and route or nil
    end
    if not route or route.text ~= text then
        route = route_from(key, text, route)
        routes[key] = route
    end
    route.drains = live.draining_since(route.ingress) ~= nil or cuts.has_ended(route.ingress)
    route.doubtful = false
    return route
end

function live.route_of(key)
    look()
    local route = routes[key]
    if route and not route.doubtful then return route end
    return read(key)
end

return live
`;
