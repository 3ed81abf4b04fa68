/** Reads JSON, as the agent writes it: nginx brings no decoder along. */
export const JSON_LUA = String.raw`-- Written by the Meshwork agent, and read when nginx loads its configuration.
local ESCAPES = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }
local WORDS = { ["true"] = true, ["false"] = false, null = ngx.null }
local json = {}
local value_at

local function string_at(text, at)
    local last = at
    repeat -- a quote ends it, unless an odd number of backslashes is before it
        last = string.find(text, '"', last + 1, true)
        if not last then error("a string does not end", 0) end
        local _, slashes = string.find(string.reverse(string.sub(text, at + 1, last - 1)), "^\\*")
    until slashes % 2 == 0
    local inside = string.sub(text, at + 1, last - 1)
    if string.find(inside, "\\", 1, true) then
        inside = string.gsub(inside, "\\(.)(%x?%x?%x?%x?)", function(letter, digits)
            if letter ~= "u" then return (ESCAPES[letter] or letter) .. digits end
            local code = tonumber(digits, 16)
            return code < 128 and string.char(code) or "?"
        end)
    end
    return inside, last + 1
end

function json.skip(text, at)
    return string.match(text, "^[ \t\r\n]*()", at)
end

local function items_at(text, at, closing, take)
    at = json.skip(text, at + 1)
    if string.sub(text, at, at) == closing then return at + 1 end
    while true do
        at = json.skip(text, take(at))
        local mark = string.sub(text, at, at)
        if mark == closing then return at + 1 end
        if mark ~= "," then error("something else than JSON at byte " .. at, 0) end
        at = json.skip(text, at + 1)
    end
end

-- Calls back with each name, and where its value begins. Answers where the object ends.
function json.members_at(text, at, each)
    return items_at(text, at, "}", function(from)
        if string.sub(text, from, from) ~= '"' then error("something else than JSON at byte " .. from, 0) end
        local name, after = string_at(text, from)
        after = json.skip(text, after)
        if string.sub(text, after, after) ~= ":" then error("something else than JSON at byte " .. after, 0) end
        return each(name, json.skip(text, after + 1))
    end)
end

function value_at(text, at)
    local first = string.sub(text, at, at)
    if first == '"' then return string_at(text, at) end
    if first == "{" then
        local object = {}
        local after = json.members_at(text, at, function(name, from)
            local value, ended = value_at(text, from)
            object[name] = value
            return ended
        end)
        return object, after
    end
    if first == "[" then
        local list = {}
        local after = items_at(text, at, "]", function(from)
            local value, ended = value_at(text, from)
            list[#list + 1] = value
            return ended
        end)
        return list, after
    end
    local word, after = string.match(text, "^(%l+)()", at)
    if word and WORDS[word] ~= nil then return WORDS[word], after end
    local number, ended = string.match(text, "^(-?%d+%.?%d*)()", at)
    if not number then error("something else than JSON at byte " .. at, 0) end
    return tonumber(number), ended
end

json.value_at = value_at

return json
`;
