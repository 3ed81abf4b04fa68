/**
 * The requests that a worker has at nodes, and the connections of their clients. This runs for each request, so nothing in it may make
 * LuaJIT give up compiling: no pattern, no closure, no table. What a connection has in the kernel is asked once for it.
 */
export const REQUESTS_LUA = `-- Written by the Meshwork agent, and read when nginx loads its configuration.
local ffi = require "ffi"
local get_request = require("resty.core.base").get_request
local C, cast = ffi.C, ffi.cast

ffi.cdef [[ int mesh_getsockopt(int fd, int level, int name, void *value, unsigned int *length) __asm__("getsockopt"); ]]

local requests = {}

-- Where nginx has the connection of a request, its descriptor and its number, and the connection to a node. "HTTP" begins each request.
local WORD, SIGNATURE = ffi.typeof("uintptr_t *"), 0x50545448
local INTEGER, FLAGS, ADDRESS = ffi.typeof("int *"), ffi.typeof("uint32_t *"), ffi.typeof("uintptr_t")
local CONNECTION, DESCRIPTOR, NUMBER, UPSTREAM, PEER = 1, 24, 25, 9, 2
-- Of the kernel: a number that no other socket ever has.
local SOL_SOCKET, SO_COOKIE = 1, 57

local open, peers = {}, {} -- route and node by request, as the number of its address
-- By descriptor: the ingress that its newest request was for, nginx's number of the connection, and the kernel's of the socket.
local last, numbers, cookies = {}, {}, {}
local is_numbered -- whether nginx has the number of a connection where we look for it. Nil: not known yet

-- Where it is elsewhere, the kernel is asked for each request, which takes longer and is as right.
local function finds_number(number)
    local is_it = string.format("%d", number) == ngx.var.connection
    if not is_it then ngx.log(ngx.WARN, "the number of a connection is not where it was expected") end
    return is_it
end

local cookie, length = ffi.new("uint64_t[1]"), ffi.new("unsigned int[1]")

requests.open = open

function requests.cookie_of(fd)
    length[0] = 8
    if C.mesh_getsockopt(fd, SOL_SOCKET, SO_COOKIE, cookie, length) ~= 0 then return nil end
    return tonumber(cookie[0])
end
local cookie_of = requests.cookie_of

-- Of the request that is being handled. It got a node.
function requests.begin(route, peer)
    local request = get_request()
    local key = tonumber(cast(ADDRESS, request))
    open[key] = route
    peers[key] = peer
    if cast(FLAGS, request)[0] ~= SIGNATURE then return end
    local connection = cast(WORD, request)[CONNECTION]
    local fd = cast(INTEGER, connection + DESCRIPTOR)[0]
    local number = tonumber(cast(WORD, connection)[NUMBER])
    if is_numbered == nil then is_numbered = finds_number(number) end
    last[fd] = route.ingress
    if numbers[fd] == number and is_numbered then return end
    numbers[fd] = number
    cookies[fd] = cookie_of(fd)
end

-- It goes to another node. Answers with what it was for, and who had it.
function requests.move(route, peer)
    local key = tonumber(cast(ADDRESS, get_request()))
    local before, had = open[key], peers[key]
    open[key] = route
    peers[key] = peer
    return before, had
end

-- Answers with what the request was for, who had it, and its key. Nil: it never got as far as a node.
function requests.finish()
    local request = get_request()
    if not request then return nil end
    local key = tonumber(cast(ADDRESS, request))
    local route = open[key]
    if not route then return nil end
    local peer = peers[key]
    open[key] = nil
    peers[key] = nil
    return route, peer, key
end

-- The descriptor of its client's connection. Nil: nginx has it elsewhere.
function requests.client_descriptor(key)
    if cast(FLAGS, key)[0] ~= SIGNATURE then return nil end
    local connection = cast(WORD, key)[CONNECTION]
    return cast(INTEGER, connection + DESCRIPTOR)[0]
end

-- The descriptor of the connection to its node. Nil: there is none.
function requests.node_descriptor(key)
    local upstream = cast(WORD, key)[UPSTREAM]
    if upstream == 0 then return nil end
    local connection = cast(WORD, upstream)[PEER]
    if connection == 0 then return nil end
    return cast(INTEGER, connection + DESCRIPTOR)[0]
end

-- Calls back with the connections of clients whose newest request was for the ingress, and forgets them. "except": by descriptor.
function requests.leave(ingress, except, each)
    for fd, of in pairs(last) do
        if of == ingress and not except[fd] then
            if cookies[fd] and cookie_of(fd) == cookies[fd] then each(fd) end
            last[fd] = nil
        end
    end
end

return requests
`;
