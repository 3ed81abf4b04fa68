/**
 * Shows a certificate with its key from one file, which is read once for each handshake. nginx itself opens it twice, and a certificate that is
 * replaced in between would be shown with the key of the other one. Nothing is kept: a key that is forgotten is in no worker.
 */
export const SHOWN_LUA = `-- Written by the Meshwork agent, and read when nginx loads its configuration.
local ssl = require "ngx.ssl"

local function show(path)
    local file = assert(io.open(path, "rb"))
    local pem = file:read("*a")
    file:close()
    -- In this order: a key is compared with the certificate that is there.
    assert(ssl.clear_certs())
    assert(ssl.set_cert(assert(ssl.parse_pem_cert(pem))))
    assert(ssl.set_priv_key(assert(ssl.parse_pem_priv_key(pem))))
end

return function(path)
    local ok, problem = pcall(show, path)
    if ok then return end
    ngx.log(ngx.ERR, "the certificate in ", path, " cannot be shown: ", problem)
    return ngx.exit(ngx.ERROR)
end
`;
