/** What a person signs in with. It also names them in the audit trail, so it never changes. */
export const USER_NAME_PATTERN = '^[a-z0-9][a-z0-9._@+-]{0,62}$';
/** Nothing that would need quoting in a header, or would end a list. */
export const GROUP_NAME_PATTERN = '^[A-Za-z0-9/_][A-Za-z0-9._:/@+=-]{0,63}$';
