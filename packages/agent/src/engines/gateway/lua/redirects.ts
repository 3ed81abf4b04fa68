/** Where a redirect leads. What a client wrote is put behind a place that the record names, and can lead nowhere else. */
export const REDIRECTS_LUA = String.raw`-- Written by the Meshwork agent, and read when nginx loads its configuration.
local drains = require "mesh_drains"
local find, gsub, match, sub = string.find, string.gsub, string.match, string.sub

local function encoded(byte)
    return string.format("%%%02X", string.byte(byte))
end

-- What is behind the path, as the client wrote it. One that wrote the path in another way, or with dots that lead up, gets what
-- nginx has understood, encoded anew.
local function rest_of(path)
    if path == "/" then path = "" end
    local written = match(ngx.var.request_uri, "^[^?#]*")
    local is_odd = find(written .. "/", "/%.%.?/") or find(written, "%%2[eE]")
    local rest = sub(written, 1, #path) == path and not is_odd and sub(written, #path + 1)
    if not rest or not find(rest, "^/") and rest ~= "" then
        rest = gsub(sub(ngx.var.uri, #path + 1), "[^%w%-%._~!&'()*+,;=:@/]", encoded)
    end
    -- Two slashes at the beginning of a place would lead to another host, and browsers take a backslash for one.
    return (gsub(rest, "^[/\\]+", "/"))
end

return function()
    local var = ngx.var
    if drains.refuses(match(var.mesh_route, "^[^/]+")) then return ngx.exit(503) end
    local place = var.mesh_place
    if var.mesh_keep == "1" then
        local query, args = match(place, "%?(.*)$"), var.args
        place = match(place, "^[^?]*")
        local rest = rest_of(var.mesh_from)
        if rest ~= "" then place = gsub(place, "/$", "") .. rest end
        if find(place, "^https?://[^/]+$") then place = place .. "/" end
        if query == "" then query = nil end
        if args == "" then args = nil end
        if query or args then
            place = place .. "?" .. (query or "") .. (query and args and "&" or "") .. (args or "")
        end
    end
    return ngx.redirect(place, tonumber(var.mesh_status))
end
`;
