/**
 * What nginx itself answers on a route that is inspected. It is put in place of nginx's own page on the way out: a location for it, as
 * other routes have, would make the engine forget what it found.
 */
export const OWN_ANSWERS_LUA = `-- Written by the Meshwork agent, and read when nginx loads its configuration.
local answers = {}

local GRPC = { [400] = 13, [403] = 7, [408] = 4, [413] = 8, [429] = 8, [500] = 13, [502] = 14, [503] = 14, [504] = 4 }

-- Of the last try: what nginx says of tries has separators between them.
local function last_in(list)
    return string.match(list or "", "([^ ,:]+)[ ,:]*$") or ""
end

-- A service was not asked, or gave no answer, or its answer was refused.
local function is_own(status)
    local var = ngx.var
    local came = last_in(var.upstream_header_time)
    if came == "" or came == "-" then return true end
    return status == 403 and last_in(var.upstream_status) ~= "403"
end

local function text_for(status)
    local var = ngx.var
    local service = var.mesh_service or ""
    if status == 403 then
        if var.mesh_outside == "1" then return "This service is not open to your network." end
        return "The request was refused. If it should not have been, tell the operator its id: " .. var.request_id
    end
    if status == 413 then return "The body of the request is larger than this service takes." end
    if status == 429 then return "You have sent too many requests. Try again later." end
    if status == 502 then return "Service " .. service .. " did not answer as it should." end
    if status == 503 then return "This gateway takes no new connections for this host name." end
    if status == 504 then return "Service " .. service .. " did not answer in time." end
    return "The gateway does not answer this request."
end

function answers.head(kind)
    local status = ngx.status
    if not GRPC[status] or not is_own(status) then return end
    local header, text = ngx.header, text_for(status)
    local unsent = status == 502 and ngx.var.mesh_unsent
    if unsent == "absent" then
        status = 503
        text = "No node of service " .. (ngx.var.mesh_service or "") .. " answers."
    elseif status == 503 or unsent == "draining" then
        status = 503
        text = text_for(status)
        header["Retry-After"] = "1"
    end
    if status == 429 then header["Retry-After"] = ngx.var.mesh_retry_after end
    header["Content-Length"] = nil
    header["Cache-Control"] = "no-store"
    if kind == "grpc" then
        ngx.status = 200
        header["Content-Type"] = "application/grpc"
        header["grpc-status"] = tostring(GRPC[status])
        header["grpc-message"] = text
        ngx.ctx.mesh_own = ""
        return
    end
    ngx.status = status
    header["Content-Type"] = "text/plain"
    ngx.ctx.mesh_own = text
end

function answers.body()
    local text = ngx.ctx.mesh_own
    if not text then return end
    ngx.arg[1] = ngx.arg[2] and text ~= "" and text or nil
end

return answers
`;
