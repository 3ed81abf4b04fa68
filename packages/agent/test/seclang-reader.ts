/** Reads rules of ModSecurity as its manual describes them: written apart from what writes them. */
interface ReadRule {
  readonly variables: string;
  readonly operator: string;
  readonly actions: readonly string[];
}

/** Every rule of a text. Throws at what is none. */
export function readSecLang(text: string): readonly ReadRule[] {
  return text.split('\n').flatMap((line) => {
    if (line.startsWith('SecRule ')) {
      const [variables, operator, actions, ...more] = words(line.slice('SecRule '.length));
      if (variables === undefined || operator === undefined || actions === undefined || more.length > 0)
        throw new Error(line);
      return { variables, operator, actions: split(actions) };
    }
    if (line.startsWith('SecAction ')) {
      const [actions, ...more] = words(line.slice('SecAction '.length));
      if (actions === undefined || more.length > 0) throw new Error(line);
      return { variables: '', operator: '', actions: split(actions) };
    }
    return [];
  });
}

function words(text: string): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; ) {
    if (text[at] === ' ') at += 1;
    else if (text[at] === '"') {
      let word = '';
      for (at += 1; text[at] !== '"'; at += 1) {
        if (at >= text.length) throw new Error(`a quote is not closed: ${text}`);
        if (text[at] === '\\' && text[at + 1] === '"') at += 1;
        word += text[at];
      }
      at += 1;
      found.push(word);
    } else {
      const end = text.indexOf(' ', at);
      found.push(text.slice(at, end === -1 ? undefined : end));
      at = end === -1 ? text.length : end;
    }
  }
  return found;
}

/** At commas that stand in no quotes. */
function split(actions: string): readonly string[] {
  return actions.match(/(?:'(?:[^'\\]|\\.)*'|[^,'])+/g) ?? [];
}
