/**
 * Reads passes, which the coordinator signs and a browser brings: see docs/decisions/0083. Whatever is not as it should be is no pass,
 * and so is everything where nginx runs without the library that checks signatures.
 */
export const PASSES_LUA = `-- Written by the Meshwork agent, and read when nginx loads its configuration.
local ffi = require "ffi"
local json = require "mesh_json"
local find, gmatch, gsub, match = string.find, string.gmatch, string.gsub, string.match

-- Of the library that nginx itself speaks TLS by.
ffi.cdef [[
void *mesh_key_new(int kind, void *engine, const unsigned char *raw, size_t length) __asm__("EVP_PKEY_new_raw_public_key");
void mesh_key_free(void *key) __asm__("EVP_PKEY_free");
void *mesh_context_new(void) __asm__("EVP_MD_CTX_new");
void mesh_context_free(void *context) __asm__("EVP_MD_CTX_free");
int mesh_verify_init(void *context, void **detail, const void *digest, void *engine, void *key) __asm__("EVP_DigestVerifyInit");
int mesh_verify(void *context, const unsigned char *signature, size_t signature_length, const unsigned char *text, size_t length) __asm__("EVP_DigestVerify");
int mesh_random(unsigned char *bytes, int count) __asm__("RAND_bytes");
int mesh_differ(const void *one, const void *other, size_t length) __asm__("CRYPTO_memcmp");
unsigned char *mesh_sha256(const unsigned char *data, size_t length, unsigned char *digest) __asm__("SHA256");
void mesh_forget_errors(void) __asm__("ERR_clear_error");
]]

local passes = {}

local ED25519, KEY_BYTES, SIGNATURE_BYTES = 1087, 32, 64
local bytes = ffi.new("unsigned char[32]")

local function encoded(text)
    return (gsub(ngx.encode_base64(text, true), "[+/]", { ["+"] = "-", ["/"] = "_" }))
end

local function decoded(text)
    if find(text, "[^%w_-]") then return nil end
    local usual = gsub(text, "[-_]", { ["-"] = "+", ["_"] = "/" })
    return ngx.decode_base64(usual .. string.rep("=", -#usual % 4))
end

-- A secret for a browser: 43 characters.
function passes.secret()
    if ffi.C.mesh_random(bytes, 32) ~= 1 then error("there is no randomness") end
    return encoded(ffi.string(bytes, 32))
end

function passes.hash(text)
    ffi.C.mesh_sha256(text, #text, bytes)
    return encoded(ffi.string(bytes, 32))
end

-- Takes as long wherever they differ.
function passes.same(one, other)
    return #one == #other and ffi.C.mesh_differ(one, other, #one) == 0
end

local function is_signed_by(raw, signature, text)
    local key = ffi.C.mesh_key_new(ED25519, nil, raw, KEY_BYTES)
    local context = ffi.C.mesh_context_new()
    local is_good = key ~= nil and context ~= nil
        and ffi.C.mesh_verify_init(context, nil, nil, nil, key) == 1
        and ffi.C.mesh_verify(context, signature, SIGNATURE_BYTES, text, #text) == 1
    if context ~= nil then ffi.C.mesh_context_free(context) end
    if key ~= nil then ffi.C.mesh_key_free(key) end
    ffi.C.mesh_forget_errors() -- nginx would take them for its own
    return is_good
end

local function read(text, keys)
    local payload, signed = match(text, "^([%w_-]+)%.([%w_-]+)$")
    local signature = signed and decoded(signed)
    if not signature or #signature ~= SIGNATURE_BYTES then return nil end
    local is_good = false
    for key in gmatch(keys, "%S+") do
        local raw = decoded(key)
        if raw and #raw == KEY_BYTES and is_signed_by(raw, signature, payload) then is_good = true end
    end
    if not is_good then return nil end
    local claims = json.value_at(decoded(payload), 1)
    for _, name in ipairs { "ingress", "hostname", "person", "user", "state" } do
        if type(claims[name]) ~= "string" then error("a pass lacks " .. name) end
    end
    if type(claims.made_ms) ~= "number" or type(claims.groups) ~= "table" then error("a pass lacks a part") end
    return claims
end

-- What is signed by one of these keys. Nil: it is not.
function passes.read(text, keys)
    local ok, claims = pcall(read, text, keys)
    if ok then return claims end
    ngx.log(ngx.ERR, "a pass cannot be read: ", claims)
    return nil
end

return passes
`;
