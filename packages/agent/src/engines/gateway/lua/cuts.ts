/**
 * Ends what is open through an ingress whose drain has come to its deadline. Only a worker can end what it holds, and it does so with
 * shutdown(2): to nginx it looks as if the client had left, whatever the protocol. No request looks a deadline up: the agent says
 * whose has come, and each worker notices within a second.
 */
export const CUTS_LUA = `-- Written by the Meshwork agent, and read when nginx loads its configuration.
local bit = require "bit"
local ffi = require "ffi"
local json = require "mesh_json"
local requests = require "mesh_requests"
local shared = ngx.shared.mesh_cuts

ffi.cdef [[
typedef struct { unsigned short family; unsigned short port; unsigned char rest[124]; } mesh_place;
int mesh_shutdown(int fd, int how) __asm__("shutdown");
int mesh_getsockname(int fd, void *place, unsigned int *length) __asm__("getsockname");
int mesh_getpeername(int fd, void *place, unsigned int *length) __asm__("getpeername");
int mesh_connect(int fd, const void *place, unsigned int length) __asm__("connect");
]]

local cuts = {}

local UNIX, INET, INET6 = 1, 2, 10
local SHUT_BOTH = 2
-- Of the kernel: whether a socket is for datagrams.
local SOL_SOCKET, SO_TYPE, DATAGRAMS = 1, 3, 2
local MAX_DESCRIPTORS = 65536
-- Descriptors are given out from the lowest: behind so many that are free there is none.
local FREE_IN_A_ROW = 1024

local marked = {} -- requests that were ended, until they are gone

local place, length = ffi.new("mesh_place"), ffi.new("unsigned int[1]")
local number = ffi.new("int[1]")
local cookie_of = requests.cookie_of

local function is_datagrams(fd)
    length[0] = 4
    return ffi.C.mesh_getsockopt(fd, SOL_SOCKET, SO_TYPE, number, length) == 0 and number[0] == DATAGRAMS
end

-- The port of a network socket and where it is, or the path of any other. Nil: there is nothing on that side.
local function place_of(ask, fd)
    length[0] = 128
    if ask(fd, place, length) ~= 0 then return nil end
    local port = bit.bor(bit.lshift(bit.band(place.port, 255), 8), bit.rshift(place.port, 8))
    if place.family == INET then
        return port, string.format("%d.%d.%d.%d:%d", place.rest[0], place.rest[1], place.rest[2], place.rest[3], port)
    end
    if place.family == INET6 then return port, "[]:" .. port end
    if place.family == UNIX and length[0] > 2 then return nil, ffi.string(ffi.cast("char *", place) + 2) end
    return nil, nil
end

local function sockets(each)
    local free = 0
    for fd = 0, MAX_DESCRIPTORS do
        length[0] = 128
        if ffi.C.mesh_getsockname(fd, place, length) == 0 then
            free = 0
            each(fd)
        elseif ffi.errno() == 9 then
            free = free + 1
            if free > FREE_IN_A_ROW then return end
        else
            free = 0
        end
    end
end

local function ended(ingress, order)
    shared:incr("cut/" .. ingress .. "/" .. order.of, 1, 0)
end

-- The descriptor of the connection between a request and its node. Nil: it is to none of the nodes that the ingress has.
local function to_node(request, order)
    local fd = requests.node_descriptor(request)
    if not fd then return nil end
    local _, to = place_of(ffi.C.mesh_getpeername, fd)
    return to and order.nodes[to] and fd or nil
end

-- A connection that carries requests for other names too stays: there, ours end at their nodes.
local function end_requests(ingress, order)
    local others, own = {}, {}
    for request, route in pairs(requests.open) do
        local fd = requests.client_descriptor(request)
        if fd and route.ingress == ingress then own[request] = fd elseif fd then others[fd] = true end
    end
    for request, fd in pairs(own) do
        local to = fd
        if others[fd] then to = to_node(request, order) end
        if to and not marked[request] then
            marked[request] = true
            ended(ingress, order)
        end
        if to then ffi.C.mesh_shutdown(to, SHUT_BOTH) end
    end
    requests.leave(ingress, others, function(fd) ffi.C.mesh_shutdown(fd, SHUT_BOTH) end)
end

local hung_up = {} -- by descriptor, the socket that was ended there

-- A session of datagrams has no connection to the client that could end: it loses the one to its node, and the port there.
local function end_streams(ingress, order)
    local unspecific = ffi.new("mesh_place")
    sockets(function(fd)
        local port, path = place_of(ffi.C.mesh_getsockname, fd)
        local _, to = place_of(ffi.C.mesh_getpeername, fd)
        length[0] = 128
        if ffi.C.mesh_getpeername(fd, place, length) ~= 0 then return end -- it listens
        local datagrams = is_datagrams(fd)
        local is_client = not datagrams and (port and port == order.port or path and path == order.socket)
        local is_node = to and order.nodes[to] and datagrams == (order.kind == "udp")
        if not is_client and not is_node then return end
        local which = cookie_of(fd)
        if hung_up[fd] ~= which then
            hung_up[fd] = which
            if is_client or datagrams then ended(ingress, order) end
        end
        if datagrams then ffi.C.mesh_connect(fd, unspecific, 16)
        else ffi.C.mesh_shutdown(fd, SHUT_BOTH) end
    end)
end

local function order_from(text)
    local order = json.value_at(text, 1)
    local nodes = {}
    for _, node in ipairs(order.nodes) do nodes[node] = true end
    order.nodes = nodes
    return order
end

local seen -- the version of the orders

local function look()
    local version = shared:get("version")
    if version == seen then return end
    seen = version
    for _, key in ipairs(shared:get_keys(0)) do
        local ingress = string.match(key, "^ended/(.+)$")
        local text = ingress and shared:get(key)
        if text then
            local order = order_from(text)
            if order.kind == "http" then end_requests(ingress, order) else end_streams(ingress, order) end
        end
    end
end

-- Whether the worker, which takes no connections any more, still has some.
local function is_busy()
    if next(requests.open) then return true end
    local busy = false
    sockets(function(fd)
        local port, path = place_of(ffi.C.mesh_getsockname, fd)
        length[0] = 128
        if (port or path) and ffi.C.mesh_getpeername(fd, place, length) == 0 then busy = true end
    end)
    return busy
end

local LOOK_S = 0.5

-- Timers end with the configuration of the worker, and its connections do not: then one look waits for the next.
local function on_time(premature)
    look()
    if not premature then return end
    while is_busy() do
        ngx.sleep(LOOK_S)
        look()
    end
end

function cuts.start_worker()
    local ok, problem = ngx.timer.every(LOOK_S, on_time)
    if not ok then ngx.log(ngx.ERR, "nothing can be ended at a deadline: ", problem) end
end

-- Of a request that has ended.
function cuts.finish(request)
    if marked[request] then marked[request] = nil end
end

-- Whether the deadline of its drain has come.
function cuts.has_ended(ingress)
    return shared:get("ended/" .. ingress) ~= nil
end

-- All that the agent wants ended. Also for workers of earlier configurations. Answers with what is wrong.
function cuts.take(orders)
    for ingress, text in pairs(orders) do
        local stored, problem = shared:safe_set("ended/" .. ingress, text)
        if not stored then return problem end
    end
    for _, key in ipairs(shared:get_keys(0)) do
        local kind, ingress = string.match(key, "^(%a+)/([^/]+)")
        if kind and not orders[ingress] then shared:delete(key) end
    end
    shared:incr("version", 1, 0)
    return nil
end

-- How much was ended, by ingress and what it was ended for.
function cuts.counts()
    local counts = {}
    for _, key in ipairs(shared:get_keys(0)) do
        local of = string.match(key, "^cut/(.+)$")
        if of then counts[of] = shared:get(key) end
    end
    return counts
end

return cuts
`;
