import { type Elements, Heading, Stack } from './basics'
import { SectionHeading } from './headings'

interface Props {
  title: string
  /** A link, a button or a status beside the heading. */
  aside?: Elements
  /** The things in it stand apart from each other. */
  spaced?: boolean
  children: Elements
}

/** A part of a page with its heading. */
export function Part({ title, aside, spaced = false, children }: Props) {
  return (
    <section aria-label={title}>
      <SectionHeading aside={aside}>{title}</SectionHeading>
      {spaced ? <Stack gap="4">{children}</Stack> : children}
    </section>
  )
}

/** A part of a part with its heading. */
export function InnerPart({ title, children }: Pick<Props, 'title' | 'children'>) {
  return (
    <Stack as="section" aria-label={title} gap="3">
      <Heading as="h3" textStyle="lg">
        {title}
      </Heading>
      {children}
    </Stack>
  )
}
