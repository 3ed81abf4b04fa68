/**
 * Has people sign in at the panel before a request of theirs goes on to the service. What a session rests on is in the browser alone: a pass
 * that the coordinator signed, and the secret whose hash is in it. Every request is held against what is known now, so that a session
 * ends when its person may not enter any more. What cannot be decided does not go on.
 */
export const SIGN_IN_LUA = String.raw`-- Written by the Meshwork agent, and read when nginx loads its configuration.
local lrucache = require "resty.lrucache"
local passes = require "mesh_passes"
local find, gmatch, gsub, lower, match, sub = string.find, string.gmatch, string.gsub, string.lower, string.match, string.sub
local known, left = ngx.shared.mesh_identity, ngx.shared.mesh_signed_out

local sign_in = {}

-- Browsers take cookies of such names from this very host alone, over TLS.
local PREFIX = "__Host-mesh-"
local SESSION, BEGUN = PREFIX .. "session", PREFIX .. "begun"
local COOKIE = "; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age="
local BEGUN_S, PASS_MS, CLOCKS_APART_MS, SECRET = 600, 60000, 60000, 43
local MAX_TO, MAX_COOKIE = 1000, 4096

local read_before = lrucache.new(2000)

-- The only one of its name. Two of them are none.
local function cookie_of(header, name)
    local found
    for key, value in gmatch(header or "", "([^;=%s]+)=([^;]*)") do
        if key == name then
            if found then return nil end
            found = value
        end
    end
    return found and #found <= MAX_COOKIE and match(found, "^%S+") or nil
end

-- What a session rests on is nothing for a service.
local function hide_cookies(header)
    if not header or not find(header, PREFIX, 1, true) then return end
    local kept = {}
    for one in gmatch(header, "[^;]+") do
        local text = match(one, "^%s*(.-)%s*$")
        if sub(text, 1, #PREFIX) ~= PREFIX and text ~= "" then kept[#kept + 1] = text end
    end
    if #kept == 0 then ngx.req.clear_header("Cookie") else ngx.req.set_header("Cookie", table.concat(kept, "; ")) end
end

local function is_in(list, name)
    return find(list, " " .. name .. " ", 1, true) ~= nil
end

local function rule_of(id)
    local session_s, nodes = match(known:get("sign-in/" .. id) or "", "^(%d+) (%d)$")
    local keys = known:get("keys")
    if not session_s or not keys or keys == "" then return nil end
    return {
        id = id, keys = keys, session_ms = tonumber(session_s) * 1000, nodes = nodes == "1",
        who = known:get("who/" .. id) or "",
    }
end

local function may_enter(rule, claims)
    if is_in(rule.who, "*") or is_in(rule.who, "person/" .. claims.user) then return true end
    for _, group in ipairs(claims.groups) do
        if is_in(rule.who, "group/" .. group) then return true end
    end
    return false
end

-- Milliseconds that are left of what began with a pass. Nil: nothing.
local function left_of(rule, claims, now_ms)
    local made_ms = claims.made_ms
    if claims.ingress ~= rule.id or claims.hostname ~= ngx.var.host then return nil end
    if made_ms > now_ms + CLOCKS_APART_MS or made_ms <= (tonumber(known:get("not-before")) or math.huge) then return nil end
    if made_ms <= (tonumber(known:get("ended/" .. claims.person)) or 0) then return nil end
    if left:get(claims.state) or not may_enter(rule, claims) then return nil end
    local rest = made_ms + rule.session_ms - now_ms
    return rest > 0 and rest or nil
end

-- Of a session: what its pass says, and its secret. Nil: it is none.
local function session_in(rule, header)
    local cookie = cookie_of(header, SESSION)
    if not cookie then return nil end
    local before = read_before:get(cookie)
    if before and before.keys == rule.keys then return before end
    local pass, secret = match(cookie, "^([%w_-]+%.[%w_-]+)%.([%w_-]+)$")
    if not pass or #secret ~= SECRET then return nil end
    local claims = passes.read(pass, rule.keys)
    if not claims or not passes.same(passes.hash(secret), claims.state) then return nil end
    local session = { claims = claims, secret = secret, keys = rule.keys }
    read_before:set(cookie, session)
    return session
end

local function answer(status, text, kind)
    ngx.req.discard_body()
    ngx.status = status
    local header = ngx.header
    header["Cache-Control"] = "no-store"
    if text then
        header["Content-Type"] = kind or "text/plain; charset=utf-8"
        header["X-Content-Type-Options"] = "nosniff"
        header["Content-Length"] = #text
        ngx.print(text)
    else
        header["Content-Length"] = 0
        ngx.send_headers()
    end
    ngx.exit(ngx.HTTP_OK)
    return nil
end

local UNKNOWN = "People cannot sign in here now: the gateway does not know who may enter. Try again later."
local NO_PANEL = "People cannot sign in here now: the gateway does not know where. Try again later."

-- A page that a person opens. All else cannot follow to another one.
local function is_page(var)
    local mode = var.http_sec_fetch_mode
    return var.request_method == "GET" and not var.http_upgrade and (not mode or mode == "navigate")
        and find(lower(var.http_accept or ""), "text/html", 1, true) ~= nil
end

local function begun_in(header)
    local secret = cookie_of(header, BEGUN)
    return secret and #secret == SECRET and not find(secret, "[^%w_-]") and secret or nil
end

local function ask(var, header)
    if not is_page(var) then
        ngx.header["WWW-Authenticate"] = "Cookie"
        if find(lower(var.http_accept or ""), "json", 1, true) then
            return answer(401, '{"type":"about:blank","title":"Sign-in required","status":401}', "application/problem+json")
        end
        return answer(401, "Sign in to reach this service: open it in a browser.\n")
    end
    local panel = known:get("panel")
    if not panel then return answer(503, NO_PANEL) end
    local secret = begun_in(header) or passes.secret() -- pages that are opened at once share it
    local to = ngx.escape_uri(var.request_uri)
    ngx.header["Set-Cookie"] = BEGUN .. "=" .. secret .. COOKIE .. BEGUN_S
    ngx.header["Location"] = panel .. "/come-in?host=" .. ngx.escape_uri(var.host)
        .. "&state=" .. passes.hash(secret) .. "&to=" .. (#to <= MAX_TO and to or "%2F")
    return answer(302)
end

-- As it was written: a service may read dots, escapes and semicolons in another way than nginx does.
local function is_open(id, written)
    local open = known:get("open/" .. id)
    if not open then return false end
    local path = match(written, "^[^?#]*")
    if find(path, "[%%;\\]") or find(path, "//", 1, true) or find(path .. "/", "/%.%.?/") then return false end
    for one in gmatch(open, "%S+") do
        if one == "/" or path == one or sub(path, 1, #one + 1) == one .. "/" then return true end
    end
    return false
end

-- Whether a request may go on. What may not is answered by then. "node": that of the mesh which asks.
function sign_in.admit(var, node)
    local id, header = match(var.mesh_route, "^[^/]+"), var.http_cookie
    local rule = rule_of(id)
    if not rule then return answer(503, UNKNOWN) end
    local session = session_in(rule, header)
    if session and left_of(rule, session.claims, ngx.now() * 1000) then
        local claims = session.claims
        var.mesh_user, var.mesh_user_id = claims.user, claims.person
        var.mesh_groups = table.concat(claims.groups, ",")
        var.mesh_identity = "person/" .. claims.person
    elseif not (node and rule.nodes) and not is_open(id, var.request_uri) then
        return ask(var, header)
    end
    hide_cookies(header)
    return true
end

local function path_of(text)
    if type(text) ~= "string" or #text > MAX_TO or not find(text, "^/[\x21-\x7e]*$") then return "/" end
    local path = gsub(text, "^[/\\]+", "/") -- two would lead to another host, and browsers take a backslash for one
    return sub(path, 1, 11) == "/.meshwork/" and "/" or path
end

local function go(to)
    ngx.header["Location"] = to
    return answer(302)
end

-- A browser comes back from the panel with a pass.
function sign_in.finish()
    local var = ngx.var
    if var.request_method ~= "GET" then return answer(405, "Only GET.") end
    local id, header, now_ms = match(var.mesh_route, "^[^/]+"), var.http_cookie, ngx.now() * 1000
    local rule = rule_of(id)
    if not rule then return answer(503, UNKNOWN) end
    local args = ngx.req.get_uri_args(4)
    local to = path_of(args.to)
    local session = session_in(rule, header)
    local claims = type(args.pass) == "string" and passes.read(args.pass, rule.keys)
    local secret = begun_in(header) or session and session.secret -- another page of the same browser may have been first
    if claims and secret and passes.same(passes.hash(secret), claims.state) then
        local rest_ms = left_of(rule, claims, now_ms)
        if rest_ms and now_ms < claims.made_ms + PASS_MS + CLOCKS_APART_MS then
            ngx.header["Set-Cookie"] = {
                SESSION .. "=" .. args.pass .. "." .. secret .. COOKIE .. math.ceil(rest_ms / 1000),
                BEGUN .. "=" .. COOKIE .. 0,
            }
            return go(to)
        end
    end
    if session and left_of(rule, session.claims, now_ms) then return go(to) end
    return answer(400, "You are not signed in: this link is too old, or was made for another browser. Open the service again.\n")
end

-- Not for a link or a form of another site.
function sign_in.leave()
    local var = ngx.var
    local method, site = var.request_method, var.http_sec_fetch_site
    if method ~= "GET" and method ~= "POST" then return answer(405, "Only GET and POST.") end
    if site and site ~= "same-origin" and site ~= "none" then return answer(403, "Sign out from this service itself.\n") end
    local rule = rule_of(match(var.mesh_route, "^[^/]+"))
    local session = rule and session_in(rule, var.http_cookie)
    if session then
        local rest_s = math.ceil((session.claims.made_ms + rule.session_ms) / 1000 - ngx.now())
        if rest_s > 0 then
            local ok, problem = left:set(session.claims.state, 1, rest_s)
            if not ok then ngx.log(ngx.ERR, "a session that was left is not noted: ", problem) end
        end
    end
    ngx.header["Set-Cookie"] = { SESSION .. "=" .. COOKIE .. 0, BEGUN .. "=" .. COOKIE .. 0 }
    local panel = known:get("panel")
    return answer(200, "You are signed out of " .. var.host .. "."
        .. (panel and " At " .. panel .. " you are signed in until you sign out there.\n" or "\n"))
end

return sign_in
`;
