import { type Elements, Flex, Heading, Stack } from '../basics'

interface Props {
  title: string
  /** A link beside the heading. */
  aside?: Elements
  children: Elements
}

/** A part of an overview, whose heading is a label. */
export function SmallPart({ title, aside, children }: Props) {
  return (
    <Stack as="section" aria-label={title} gap="2">
      <Flex justify="space-between" gap="3">
        <Heading as="h2" textStyle="sm" fontFamily="body" fontWeight="medium" color="fg.muted">
          {title}
        </Heading>
        {aside}
      </Flex>
      {children}
    </Stack>
  )
}
