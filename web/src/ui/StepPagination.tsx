import { Button, Flex, Text } from './index'

interface Props {
  page: number
  pages: number
  label: string
  onPage: (page: number) => void
}

/** First, Previous, Next and Last, with the number of pages between them. */
export function StepPagination({ page, pages, label, onPage }: Props) {
  const step = (name: string, to: number, disabled: boolean) => (
    <Button
      variant="outline"
      bg="bg.panel"
      size="sm"
      px={{ base: '2', sm: '3.5' }}
      disabled={disabled}
      onClick={() => onPage(to)}
    >
      {name}
    </Button>
  )
  return (
    <Flex as="nav" aria-label={label} align="center" justify="center" wrap="wrap" gap={{ base: '1', sm: '2' }} mt="3">
      {step('First', 1, page <= 1)}
      {step('Previous', page - 1, page <= 1)}
      <Text aria-live="polite" textStyle="sm" px={{ base: '1', sm: '2' }} fontVariantNumeric="tabular-nums">
        Page {page} of {pages}
      </Text>
      {step('Next', page + 1, page >= pages)}
      {step('Last', pages, page >= pages)}
    </Flex>
  )
}
