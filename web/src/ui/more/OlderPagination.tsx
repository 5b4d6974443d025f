import { t } from '@lingui/core/macro'
import { Flex } from '../basics'
import { ButtonLink } from '../links'

interface Props {
  label: string
  /** The entry before which the shown page begins; empty for the newest. */
  before: string | null | undefined
  /** The entry before which the next page begins. */
  next: string | null | undefined
  /** Returns the address of a page, for undefined of the newest. */
  linkTo: (before?: string) => string
}

/** Leads to older entries, and back to the newest, of a list that has no number of pages. */
export function OlderPagination({ label, before, next, linkTo }: Props) {
  if (!next && !before) return null
  const link = (to: string, text: string) => (
    <ButtonLink to={to} variant="outline" size="sm">
      {text}
    </ButtonLink>
  )
  return (
    <Flex as="nav" aria-label={label} justify="center" gap="3">
      {before && link(linkTo(), t`Newest`)}
      {next && link(linkTo(next), t`Older`)}
    </Flex>
  )
}
