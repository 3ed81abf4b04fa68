/** The location in which authorities look for a file (RFC 8555, section 8.3). No path of a route begins with a dot. */
export const CHALLENGE_PATH = '/.well-known/acme-challenge/';
/** Ours: a hundred times what a coordinator orders at once. */
export const MOST_CHALLENGES = 1000;

/**
 * What authorities outside find by `http-01`: the answer that the coordinator made, at the host name of one ingress alone, until its time is
 * over. It is no secret: the authority publishes nothing of it, and it is worth nothing at another place.
 */
export const CHALLENGES_LUA = `-- Written by the Meshwork agent, and read when nginx loads its configuration.
local known = ngx.shared.mesh_challenges
local PATH = "${CHALLENGE_PATH}"
local MOST = ${MOST_CHALLENGES}

local challenges = {}

-- One line: the ingress, the token, the answer, and for how many seconds. Answers with nil, or with what is wrong.
function challenges.take(text)
    local ingress, token, answer, seconds = string.match(text, "^([%w_]+) ([%w_-]+) ([%w_.-]+) (%d+)$")
    if not ingress then return 400, "it is no answer to a challenge" end
    local key = ingress .. "/" .. token
    known:flush_expired()
    if not known:get(key) and #known:get_keys(MOST) >= MOST then return 507, "there are too many challenges" end
    local stored, problem = known:safe_set(key, answer, tonumber(seconds))
    if not stored then return 507, problem end
    return nil
end

function challenges.say()
    local var, header = ngx.var, ngx.header
    local token = string.sub(var.uri, #PATH + 1)
    local answer = string.match(token, "^[%w_-]+$") and known:get(var.mesh_challenged .. "/" .. token)
    header["Cache-Control"] = "no-store"
    header["Content-Type"] = "text/plain"
    if answer then return ngx.print(answer) end
    ngx.status = 404
    ngx.print("This gateway answers no such challenge.\\n")
end

return challenges
`;
