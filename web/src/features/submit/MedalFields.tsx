import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Control } from 'react-hook-form'
import { MEDALS, MedalIcon } from '@/entities/record/Medal'
import { TimeField } from '@/forms'
import { Grid, Heading, HStack, Panel, Text } from '@/ui'
import { type MapSubmission, type MapValues, medalLabels } from './rules'

/** The medal times of a map, for its author. */
export function MedalFields({ control }: { control: Control<MapValues, unknown, MapSubmission> }) {
  const labels = medalLabels()
  return (
    <Panel as="section" aria-labelledby="medal-times" p="4">
      <Heading as="h2" id="medal-times" textStyle="lg">{t`Medal times`}</Heading>
      <Text color="fg.muted" mb="4">
        <Trans>You made this map: set what others have to beat. Medal times cannot be changed afterwards.</Trans>
      </Text>
      <Grid columns={{ base: 1, sm: 2, lg: 4 }} gap="4">
        {MEDALS.map((medal) => (
          <TimeField
            key={medal}
            control={control}
            name={`medalTimes.${medal}`}
            label={
              <HStack as="span" gap="1.5">
                <span aria-hidden="true">
                  <MedalIcon medal={medal} size={5} />
                </span>
                <span>{labels[medal]}</span>
              </HStack>
            }
            help={medal === 'author' ? t`The finish time of your replay` : undefined}
            readOnly={medal === 'author'}
            dependents={['medalTimes.silver', 'medalTimes.bronze']}
          />
        ))}
      </Grid>
    </Panel>
  )
}
