import { Box, Button, Collapsible, List } from '@/ui'
import { ChevronDownIcon } from '@/ui/icons'

interface Props {
  title: string
  /** The sentences, in the order of steps where they are numbered. */
  sentences: readonly string[]
  numbered?: boolean
  open?: boolean
}

/** A list of sentences that opens and closes under its title. */
export function Explanation({ title, sentences, numbered, open }: Props) {
  return (
    <Collapsible.Root defaultOpen={open} borderWidth="1px" rounded="l3" bg="bg.panel" overflow="hidden">
      <Collapsible.Trigger asChild>
        <Button variant="ghost" color="fg" w="full" justifyContent="space-between" rounded="0" fontWeight="semibold">
          <span>{title}</span>
          <Collapsible.Indicator _open={{ transform: 'rotate(180deg)' }} transition="transform 0.15s">
            <ChevronDownIcon />
          </Collapsible.Indicator>
        </Button>
      </Collapsible.Trigger>
      <Collapsible.Content>
        <Box px="4" pb="4" pt="3" color="fg.muted">
          <List.Root as={numbered ? 'ol' : 'ul'} ps="5" gap="1">
            {sentences.map((sentence) => (
              <List.Item key={sentence}>{sentence}</List.Item>
            ))}
          </List.Root>
        </Box>
      </Collapsible.Content>
    </Collapsible.Root>
  )
}
