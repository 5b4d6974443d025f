import type { ReactNode } from 'react'
import { type Elements, Text } from '../basics'
import { Part } from '../Part'

interface Props {
  title: string
  /** The text. */
  children: ReactNode
  /** What is below the text. */
  more?: Elements
}

/** A part of a page that explains something. */
export function TextPart({ title, children, more }: Props) {
  return (
    <Part spaced title={title}>
      <Text color="fg.muted">{children}</Text>
      {more}
    </Part>
  )
}
