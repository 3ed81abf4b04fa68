/** Links to other pages of the dashboard that look as the rest of it does. */
import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type Html<Own> = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Own> & { readonly ref?: Ref<HTMLAnchorElement> };

/** As large as the text around it, unless a size is given. */
export const AnchorLink = createLink((props: AnchorProps & Html<AnchorProps>) => (
  <Anchor inherit={props.size === undefined && props.fz === undefined} {...props} />
));

export const ButtonLink = createLink((props: ButtonProps & Html<ButtonProps>) => <Button component="a" {...props} />);
