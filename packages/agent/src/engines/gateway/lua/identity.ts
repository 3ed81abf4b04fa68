/**
 * Who asks, where an ingress wants to know: the node of the mesh that a connection comes from.
 *
 * WireGuard lets a peer send from no address but its own, and what is sent to the address of a peer goes to that peer alone. So a
 * connection from the address of a peer to an address of this node in the mesh was made by that peer. No other address counts: not
 * one that a proxy or a balancer claims, and not one on a connection to an address of this node outside of the mesh, whose answers
 * may go another way.
 */
export const IDENTITY_LUA = `-- Written by the Meshwork agent, and read when nginx loads its configuration.
local find, gmatch, sub = string.find, string.gmatch, string.sub
local sign_in = require "mesh_sign_in"
local known = ngx.shared.mesh_identity

local identity = {}

-- Lines of a key and its value, all of them. What is gone goes first: an address never keeps the name of a node that has left.
-- Answers with nil, or with what is wrong.
function identity.take(text)
    local kept = {}
    for key, value in gmatch(text, "([^ \\n]+) ([^\\n]*)\\n") do kept[key] = value end
    if kept["end"] == nil then return 400, "its end is missing" end
    for _, key in ipairs(known:get_keys(0)) do
        if not kept[key] then known:delete(key) end
    end
    for key, value in pairs(kept) do
        if known:get(key) ~= value then
            local stored, problem = known:safe_set(key, value)
            if not stored then
                known:flush_all() -- no one is known, rather than some
                return 507, problem
            end
        end
    end
    return nil
end

-- Called once for each configuration, before there are workers. A reload keeps what is there.
function identity.start()
    if known:get("end") then return end
    local file = io.open(ngx.config.prefix() .. "identities", "rb")
    if not file then return end
    local text = file:read("*a")
    file:close()
    local status, problem = identity.take(text)
    if status then ngx.log(ngx.ERR, "the file of identities cannot be used: ", problem) end
end

-- Where a connection comes from, and where it was made to. Nil: something in front of this gateway says so.
local function ends_of(var)
    if var.mesh_proxied == "1" then return nil end
    local to = var.server_addr
    if sub(to, 1, 5) ~= "unix:" then return var.realip_remote_addr, to end
    -- Our own socket, behind the port that is shared with TLS that is passed through.
    if find(to, "-proxies.sock", 1, true) then return nil end
    return var.proxy_protocol_addr, var.proxy_protocol_server_addr
end

local function node_of(var)
    local from, to = ends_of(var)
    if not from or not to or not known:get("to/" .. to) then return nil end
    return known:get("node/" .. from)
end

local function note(var)
    local node = node_of(var)
    if node then
        local prefix = known:get("spiffe")
        var.mesh_node = node
        var.mesh_node_spiffe = prefix and prefix .. node or ""
    end
    local certificate = var.mesh_client_fingerprint
    if certificate and certificate ~= "" then var.mesh_identity = "certificate/" .. certificate
    elseif node then var.mesh_identity = "node/" .. node end
    return node
end

-- In the location that is in front of that of a route.
function identity.admit()
    local var = ngx.var
    note(var)
    return ngx.exec(var.mesh_passed)
end

-- The same where people have to sign in.
function identity.enter()
    local var = ngx.var
    if not sign_in.admit(var, note(var)) then return end
    return ngx.exec(var.mesh_passed)
end

return identity
`;
