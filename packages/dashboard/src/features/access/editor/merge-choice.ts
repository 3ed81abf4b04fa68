const WORDS = { accept: 'Keep mine', reject: 'Take theirs' } as const;

/** The two buttons beside each difference. The library calls it "accept" when what was typed stays. */
export function mergeChoice(type: 'accept' | 'reject', action: (event: MouseEvent) => void): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'cm-merge-choice';
  button.textContent = WORDS[type];
  // Before the editor takes the press for a click into its text; by keyboard there is no press, only a click.
  button.addEventListener('mousedown', action);
  button.addEventListener('click', (event) => {
    if (event.detail === 0) action(event);
  });
  return button;
}
