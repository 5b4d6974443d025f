import { Box, Flex, Heading, SimpleGrid, Text } from '@chakra-ui/react'
import { MedalIcon } from '@/shared/components/MedalIcon'
import { MEDALS, type Medal } from '@/shared/lib/medals'
import type { MedalEntries } from './rules'
import { TimeInput } from './TimeInput'

const LABELS: Record<Medal, string> = {
  author: 'Author time',
  gold: 'Gold medal time',
  silver: 'Silver medal time',
  bronze: 'Bronze medal time',
}

interface Props {
  medals: MedalEntries
  // What they mean, in milliseconds; null where one is missing.
  times: Record<Medal, number | null>
  disabled: boolean
  // Whether what is missing has been pointed out.
  checked: boolean
  onMedals: (medals: MedalEntries) => void
}

// MedalEntry takes the medal times of a map from its author.
export function MedalEntry({ medals, times, disabled, checked, onMedals }: Props) {
  return (
    <Box as="section" aria-labelledby="medal-times" borderWidth="1px" rounded="l3" bg="bg.panel" p="4">
      <Heading as="h2" id="medal-times" textStyle="lg">
        Medal times
      </Heading>
      <Text color="fg.muted" mb="4">
        You made this map: set what others have to beat. Medal times cannot be changed afterwards.
      </Text>
      <SimpleGrid columns={{ base: 1, sm: 2, lg: 4 }} gap="4">
        {MEDALS.map((medal) => (
          <TimeInput
            key={medal}
            label={
              <Flex as="span" align="center" gap="1.5">
                <span aria-hidden="true">
                  <MedalIcon medal={medal} size={5} />
                </span>
                {LABELS[medal]}
              </Flex>
            }
            hint={medal === 'author' ? 'The finish time of your replay' : undefined}
            value={medals[medal]}
            readOnly={medal === 'author'}
            disabled={disabled}
            invalid={checked && times[medal] === null}
            onValue={(value) => onMedals({ ...medals, [medal]: value })}
          />
        ))}
      </SimpleGrid>
    </Box>
  )
}
