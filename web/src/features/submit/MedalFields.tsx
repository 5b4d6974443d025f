import { MedalIcon } from '@/entities/record/MedalIcon'
import { MEDALS } from '@/entities/record/medals'
import { Box, Grid, Heading, HStack, Text } from '@/ui'
import { errorOf, type FormError } from './formErrors'
import { MEDAL_LABELS, type MedalEntries } from './rules'
import { TimeField } from './TimeField'

interface Props {
  medals: MedalEntries
  disabled: boolean
  errors: readonly FormError[]
  onMedals: (medals: MedalEntries) => void
}

/** The medal times of a map, for its author. */
export function MedalFields({ medals, disabled, errors, onMedals }: Props) {
  return (
    <Box as="section" aria-labelledby="medal-times" borderWidth="1px" rounded="l3" bg="bg.panel" p="4">
      <Heading as="h2" id="medal-times" textStyle="lg">
        Medal times
      </Heading>
      <Text color="fg.muted" mb="4">
        You made this map: set what others have to beat. Medal times cannot be changed afterwards.
      </Text>
      <Grid columns={{ base: 1, sm: 2, lg: 4 }} gap="4">
        {MEDALS.map((medal) => (
          <TimeField
            key={medal}
            label={
              <HStack as="span" gap="1.5">
                <span aria-hidden="true">
                  <MedalIcon medal={medal} size={5} />
                </span>
                {MEDAL_LABELS[medal]}
              </HStack>
            }
            hint={medal === 'author' ? 'The finish time of your replay' : undefined}
            value={medals[medal]}
            readOnly={medal === 'author'}
            disabled={disabled}
            error={errorOf(errors, `medalTimes.${medal}`)}
            onValue={(value) => onMedals({ ...medals, [medal]: value })}
          />
        ))}
      </Grid>
    </Box>
  )
}
