import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Flex, Text } from './basics'

export interface PaginationProps {
  page: number
  pages: number
  label: string
  onPage: (page: number) => void
  /** Also where everything fits on one page. */
  always?: boolean
}

/** First, Previous, Next and Last, with the number of pages between them, or on a phone below them. */
export function StepPagination({ page, pages, label, onPage, always = false }: PaginationProps) {
  if (pages <= 1 && !always) return null
  const step = (name: string, to: number, disabled: boolean) => (
    <Button variant="outline" bg="bg.panel" size="sm" disabled={disabled} onClick={() => onPage(to)}>
      {name}
    </Button>
  )
  return (
    <Flex as="nav" aria-label={label} align="center" justify="center" wrap="wrap" gap="2" mt="3">
      {step(t`First`, 1, page <= 1)}
      {step(t`Previous`, page - 1, page <= 1)}
      <Text
        aria-live="polite"
        textStyle="sm"
        textAlign="center"
        order={{ base: '1', sm: '0' }}
        w={{ base: 'full', sm: 'auto' }}
        px="2"
        fontVariantNumeric="tabular-nums"
      >
        <Trans>
          Page {page} of {pages}
        </Trans>
      </Text>
      {step(t`Next`, page + 1, page >= pages)}
      {step(t`Last`, pages, page >= pages)}
    </Flex>
  )
}

/** Returns the numbers from 0 to n - 1. */
export const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i)

/** Returns the id of a row. */
export const idOf = ({ _id }: { _id: string }): string => _id
