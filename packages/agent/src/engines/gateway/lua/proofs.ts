import { INGRESS_PROOF_PATH } from '@meshwork/contract/vocabulary';

/**
 * How a gateway proves itself to a node that tries an ingress from outside: it shows what only the coordinator and the agent know, to
 * those who ask by a token that they cannot guess, at the host name of that ingress alone, for some seconds.
 */
export const PROOFS_LUA = `-- Written by the Meshwork agent, and read when nginx loads its configuration.
local known = ngx.shared.mesh_proofs
local PATH = "${INGRESS_PROOF_PATH}"

local proofs = {}

-- One line: the ingress, the token, the answer, and for how many seconds. Answers with nil, or with what is wrong.
function proofs.take(text)
    local ingress, token, answer, seconds = string.match(text, "^([%w_]+) ([%w_-]+) ([%w_-]+) (%d+)$")
    if not ingress then return 400, "it is no proof" end
    local stored, problem = known:set(ingress .. "/" .. token, answer, tonumber(seconds))
    if not stored then return 507, problem end
    return nil
end

function proofs.say(generation)
    local var = ngx.var
    local token = string.sub(var.uri, #PATH + 1)
    local answer = string.match(token, "^[%w_-]+$") and known:get(var.mesh_checked .. "/" .. token)
    if not answer then return ngx.exit(404) end
    local header = ngx.header
    header["Content-Type"] = "application/json"
    header["Cache-Control"] = "no-store"
    ngx.print('{"answer":"' .. answer .. '","generation":"' .. generation .. '"}')
end

return proofs
`;
