/**
 * How many requests each worker has at nodes, by ingress. The numbers are in memory that all processes of this nginx share, and only a
 * worker itself writes its own: to count a request takes no lock and no lookup. Which number is whose is in a shared dictionary.
 */
export const COUNTS_LUA = `-- Written by the Meshwork agent, and read when nginx loads its configuration.
local ffi = require "ffi"
local places = ngx.shared.mesh_workers

ffi.cdef [[ void *mesh_mmap(void *at, size_t length, int allowed, int flags, int fd, long offset) __asm__("mmap"); ]]

local counts = {}

local NUMBERS = 262144
local READ_WRITE, SHARED_ANONYMOUS, FAILED = 3, 0x21, ffi.cast("void *", -1)

local numbers -- of all workers
local own -- the beginning of the keys of this worker

-- Called once for each configuration, before there are workers. The master keeps the memory, and workers of every configuration have
-- it at the same address.
function counts.start()
    local at = places:get("memory")
    if not at then
        local memory = ffi.C.mesh_mmap(nil, NUMBERS * 4, READ_WRITE, SHARED_ANONYMOUS, -1, 0)
        if memory == FAILED then error("there is no memory to count requests in") end
        at = tonumber(ffi.cast("uintptr_t", memory))
        places:set("memory", at)
    end
    numbers = ffi.cast("int *", ffi.cast("uintptr_t", at))
end

local function release(key, number)
    numbers[number] = 0
    places:delete(key)
    places:lpush("free", number)
end

-- What a worker of this number has left, whose number another process has now.
function counts.start_worker()
    own = ngx.worker.pid() .. "/"
    for _, key in ipairs(places:get_keys(0)) do
        if string.sub(key, 1, #own) == own then release(key, places:get(key)) end
    end
end

-- Whether this worker has a request at a node.
function counts.is_busy()
    for _, key in ipairs(places:get_keys(0)) do
        if string.sub(key, 1, #own) == own and numbers[places:get(key)] > 0 then return true end
    end
    return false
end

-- Where this worker counts the requests of an ingress.
function counts.number_of(ingress)
    local key = own .. ingress
    local number = places:get(key)
    if number then return number end
    number = places:lpop("free") or places:incr("used", 1, 0)
    local stored = number and number < NUMBERS and places:safe_set(key, number)
    if stored then return number end
    places:set("lost", true) -- from now on none of the counts can be relied on
    ngx.log(ngx.ERR, "there is no place to count the requests of ", ingress)
    return 0
end

function counts.add(number, by)
    numbers[number] = numbers[number] + by
end

-- By ingress. Nil: not all requests were counted. "is_alive": whether a process is one of our workers.
function counts.sums(is_alive)
    if places:get("lost") then return nil end
    local alive, sums = {}, {}
    local sweeps = places:add("sweeping", true, 5) -- or another worker does: no place is given back twice
    for _, key in ipairs(places:get_keys(0)) do
        local pid, ingress = string.match(key, "^(%d+)/(.+)$")
        local number = pid and places:get(key)
        if number then
            if alive[pid] == nil then alive[pid] = is_alive(pid) end
            if alive[pid] then sums[ingress] = (sums[ingress] or 0) + numbers[number]
            elseif sweeps then release(key, number) end
        end
    end
    if sweeps then places:delete("sweeping") end
    return sums
end

return counts
`;
