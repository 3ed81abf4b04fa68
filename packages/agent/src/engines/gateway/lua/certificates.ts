/**
 * What a certificate says of its holder. nginx has checked it by then, against the mesh CA: what is read here was written by that.
 * It is read with bounds all the same, and one that reads otherwise than it should lets no one through.
 */
export const CERTIFICATES_LUA = String.raw`-- Written by the Meshwork agent, and read when nginx loads its configuration.
local ffi = require "ffi"
local lrucache = require "resty.lrucache"
local byte, find, format, gmatch, gsub, sub = string.byte, string.find, string.format, string.gmatch, string.gsub, string.sub

-- Of the library that nginx itself speaks TLS by.
ffi.cdef [[ unsigned char *SHA256(const unsigned char *data, size_t length, unsigned char *digest); ]]
local digest = ffi.new("unsigned char[32]")

local REFUSED = 420
local SEQUENCE, OCTETS, INTEGER, EXTENSIONS = 0x30, 0x04, 0x02, 0xA3
local ALTERNATIVE_NAMES = "\x55\x1D\x11" -- 2.5.29.17
local DNS, URI, ADDRESS = 0x82, 0x86, 0x87

-- The value at a place: its tag, where it begins and ends, which has to be before "most".
local function value_at(der, at, most)
    local tag, length = byte(der, at, at + 1)
    if not length then error("too short") end
    at = at + 2
    if length >= 0x80 then
        local count = length - 0x80
        if count < 1 or count > 3 then error("no length") end
        length = 0
        for index = at, at + count - 1 do length = length * 256 + (byte(der, index) or error("too short")) end
        at = at + count
    end
    local last = at + length - 1
    if last > most then error("too long") end
    return tag, at, last
end

local function within(der, at, most, expected)
    local tag, first, last = value_at(der, at, most)
    if tag ~= expected then error("another value") end
    return first, last
end

local function hex(text)
    return (gsub(text, ".", function(one) return format("%02x", byte(one)) end))
end

local function address_of(text)
    if #text == 4 then return format("%d.%d.%d.%d", byte(text, 1, 4)) end
    if #text ~= 16 then error("no address") end
    local groups = {}
    for at = 1, 15, 2 do groups[#groups + 1] = format("%x", byte(text, at) * 256 + byte(text, at + 1)) end
    return table.concat(groups, ":")
end

-- A header has names with commas between them, and no name can have one.
local function encoded(text)
    return (gsub(text, "[^%w%-%._~:/@!$&'()*+=?]", function(one) return format("%%%02X", byte(one)) end))
end

local function read_names(der, first, last, facts)
    local listed, spiffe = {}, {}
    first, last = within(der, first, last, OCTETS)
    first, last = within(der, first, last, SEQUENCE)
    while first <= last do
        local tag, from, to = value_at(der, first, last)
        local text = sub(der, from, to)
        if tag == DNS then
            listed[#listed + 1] = "DNS:" .. encoded(text)
            facts.known[string.lower(text)] = true
        elseif tag == URI then
            listed[#listed + 1] = "URI:" .. encoded(text)
            facts.known[text] = true
            if find(text, "^spiffe://") then spiffe[#spiffe + 1] = encoded(text) end
        elseif tag == ADDRESS then
            listed[#listed + 1] = "IP:" .. address_of(text)
        end
        first = to + 1
    end
    facts.names = table.concat(listed, ", ")
    facts.spiffe = #spiffe == 1 and spiffe[1] or "" -- of several, none is the one
end

local function read(pem)
    local base64 = string.match(pem, "^%s*%-%-%-%-%-BEGIN CERTIFICATE%-%-%-%-%-(.-)%-%-%-%-%-END CERTIFICATE%-%-%-%-%-")
    local der = base64 and ngx.decode_base64((gsub(base64, "%s", "")))
    if not der then error("no PEM") end
    ffi.C.SHA256(der, #der, digest)
    local facts = { names = "", spiffe = "", known = {}, fingerprint = hex(ffi.string(digest, 32)) }
    local at, last = within(der, 1, #der, SEQUENCE)
    at, last = within(der, at, last, SEQUENCE)
    while at <= last do
        local tag, first, to = value_at(der, at, last)
        if tag == INTEGER and not facts.serial then
            facts.serial = gsub(hex(sub(der, first, to)), "^00(.)", "%1")
        elseif tag == EXTENSIONS then
            at, last = within(der, first, to, SEQUENCE)
            while at <= last do
                local from, till = within(der, at, last, SEQUENCE)
                local _, id, id_end = value_at(der, from, till)
                if sub(der, id, id_end) == ALTERNATIVE_NAMES then
                    local is_critical, _, behind = value_at(der, id_end + 1, till)
                    read_names(der, is_critical == 0x01 and behind + 1 or id_end + 1, till, facts)
                end
                at = till + 1
            end
            return facts
        end
        at = to + 1
    end
    return facts
end

local read_before = lrucache.new(500)

local function facts_of(pem)
    local facts = read_before:get(pem)
    if facts then return facts end
    local ok, found = pcall(read, pem)
    if not ok then
        ngx.log(ngx.ERR, "the certificate of a client cannot be read: ", found)
        return nil
    end
    read_before:set(pem, found)
    return found
end

local function is_allowed(facts, names)
    if names == "" then return true end
    for name in gmatch(names, "%S+") do
        if facts.known[name] then return true end
    end
    return false
end

return function()
    local var = ngx.var
    if var.ssl_client_verify ~= "SUCCESS" then
        if var.mesh_clients == "optional" then return end
        return ngx.exit(REFUSED)
    end
    local facts = facts_of(var.ssl_client_raw_cert or "")
    if not facts or not is_allowed(facts, var.mesh_client_allowed) then return ngx.exit(REFUSED) end
    var.mesh_client_names = facts.names
    var.mesh_client_spiffe = facts.spiffe
    var.mesh_client_serial = facts.serial
    var.mesh_client_fingerprint = facts.fingerprint
end
`;
