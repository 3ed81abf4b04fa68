/**
 * Which certificate a gateway shows. nginx itself would read the file and make a key of it for each handshake, which takes longer than
 * all of the rest of it. Here a worker does so once, and looks at the file again when the agent has sent something.
 */
export const SHOWN_LUA = `-- Written by the Meshwork agent, and read when nginx loads its configuration.
local live = require "mesh_live"
local ssl = require "ngx.ssl"

local known = {} -- by host name

-- Certificates and key are in one file.
local function text_of(ingress)
    local file = io.open(ngx.config.prefix() .. "tls/" .. ingress .. ".pem", "rb")
    if not file then return nil, "there is no file" end
    local text = file:read("*a")
    file:close()
    return text
end

local function read(ingress)
    local text, problem = text_of(ingress)
    local chain, key
    if text then chain, problem = ssl.parse_pem_cert(text) end
    if chain then key, problem = ssl.parse_pem_priv_key(text) end
    if key then return { text = text, chain = chain, key = key } end
    ngx.log(ngx.ERR, "the certificate of ", ingress, " cannot be shown: ", problem)
    return nil
end

local seen -- what the agent sent last, as of the handshake before

-- What is not shown any more is in no worker, once the next handshake comes.
local function forget_others(version)
    if version == seen or not version then return end
    seen = version
    for name in pairs(known) do
        if not live.certificate_of(name) then known[name] = nil end
    end
end

local function certificate_for(name)
    local version = live.version()
    forget_others(version)
    local entry = known[name]
    if entry and entry.version == version then return entry end
    local ingress = live.certificate_of(name)
    if not ingress then return known[name] end -- without a version, what is known still counts
    if not entry or entry.text ~= text_of(ingress) then entry = read(ingress) end
    if entry then entry.version = version end
    known[name] = entry
    return entry
end

-- For the name that the client asks for. nginx has found a server for it by then, with any case, and with or without a dot at its end.
return function()
    local name = ssl.server_name()
    local found = name and certificate_for((string.gsub(string.lower(name), "%.$", "")))
    if not found then return ngx.exit(ngx.ERROR) end
    local ok, problem = ssl.clear_certs()
    if ok then ok, problem = ssl.set_cert(found.chain) end
    if ok then ok, problem = ssl.set_priv_key(found.key) end
    if ok then return end
    ngx.log(ngx.ERR, "the certificate for ", name, " cannot be shown: ", problem)
    return ngx.exit(ngx.ERROR)
end
`;
