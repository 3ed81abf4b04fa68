/** JSON with comments, for the eye: names, values and comments each in their colour, also while the text is not finished. */
import { LanguageSupport, StreamLanguage } from '@codemirror/language';

interface State {
  depth: number;
  in_comment: boolean;
}

const jsonc = StreamLanguage.define<State>({
  name: 'jsonc',
  startState: () => ({ depth: 0, in_comment: false }),
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    if (state.in_comment || stream.match('/*')) {
      state.in_comment = !stream.match(/^.*?\*\//);
      if (state.in_comment) stream.skipToEnd();
      return 'comment';
    }
    if (stream.eatSpace()) return null;
    if (stream.match('//')) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match(/^"(?:\\.|[^"\\])*"?/)) return stream.match(/^\s*:/, false) ? 'propertyName' : 'string';
    if (stream.match(/^[{[]/)) {
      state.depth += 1;
      return 'bracket';
    }
    if (stream.match(/^[}\]]/)) {
      state.depth = Math.max(0, state.depth - 1);
      return 'bracket';
    }
    if (stream.match(/^[,:]/)) return 'punctuation';
    if (stream.match(/^(?:true|false|null)\b/)) return 'bool';
    if (stream.match(/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/)) return 'number';
    stream.match(/^[^\s{}[\],:"]+/) || stream.next();
    return 'invalid';
  },
  indent: ({ depth }, textAfter, { unit }) => Math.max(0, depth - (/^\s*[}\]]/.test(textAfter) ? 1 : 0)) * unit,
  languageData: {
    commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
    closeBrackets: { brackets: ['[', '{', '"'] },
    indentOnInput: /^\s*[}\]]$/,
  },
});

export function jsoncLanguage(): LanguageSupport {
  return new LanguageSupport(jsonc);
}
