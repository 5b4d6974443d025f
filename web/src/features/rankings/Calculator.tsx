import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { formatPoints } from '@/entities/points/format'
import { pointsOf } from '@/entities/points/formula'
import { Field, Flex, Input, Panel, Stack, styled, Text } from '@/ui'
import { formatNumber } from '@/ui/format'

/** Computes the points of a place on a map. */
export function Calculator({ finishersNeeded }: { finishersNeeded: number }) {
  const [finishers, setFinishers] = useState('31')
  const [place, setPlace] = useState('2')
  const [tied, setTied] = useState('0')
  return (
    <Panel p={{ base: '4', md: '6' }}>
      <Stack gap="4">
        <Flex wrap="wrap" gap="4">
          <NumberField label={t`Finishers who count, with you`} value={finishers} onChange={setFinishers} />
          <NumberField label={t`Your place`} value={place} onChange={setPlace} />
          <NumberField label={t`Others with your time`} value={tied} onChange={setTied} />
        </Flex>
        <Result
          finishersNeeded={finishersNeeded}
          finishers={wholeNumber(finishers)}
          place={wholeNumber(place)}
          tied={wholeNumber(tied)}
        />
      </Stack>
    </Panel>
  )
}

/** Returns a number without a fraction and sign; NaN for any other text. */
const wholeNumber = (text: string) => (/^\d{1,7}$/.test(text.trim()) ? Number(text) : Number.NaN)

interface FieldProps {
  label: string
  value: string
  onChange: (value: string) => void
}

function NumberField({ label, value, onChange }: FieldProps) {
  return (
    <Field.Root w="13rem" maxW="full">
      <Field.Label>{label}</Field.Label>
      <Input
        bg="bg.panel"
        inputMode="numeric"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </Field.Root>
  )
}

const Output = styled('output', { base: { display: 'block', fontVariantNumeric: 'tabular-nums', minH: '20' } })

interface ResultProps {
  finishersNeeded: number
  finishers: number
  place: number
  tied: number
}

function Result({ finishersNeeded, finishers, place, tied }: ResultProps) {
  if (!(finishers > 0 && place > 0 && tied >= 0)) {
    return <Output>{t`Please enter whole numbers.`}</Output>
  }
  if (place + tied > finishers) {
    return (
      <Output>{plural(finishers, { one: 'There is only # finisher.', other: 'There are only # finishers.' })}</Output>
    )
  }
  if (finishers < finishersNeeded) {
    const count = formatNumber(finishers)
    return (
      <Output>
        {plural(finishersNeeded, {
          one: `No points: ${count} of # finisher.`,
          other: `No points: ${count} of # finishers.`,
        })}
      </Output>
    )
  }
  const opponents = finishers - 1
  const beaten = opponents - (place - 1) - tied / 2
  const { finish, beatenPoints, placeBonus, points } = pointsOf({ opponents, beaten, place })
  const sum = [finish, beatenPoints, placeBonus].map(formatPoints).join(' + ')
  return (
    <Output>
      <Text color="fg.muted">
        <Trans>
          m = {formatNumber(opponents)}, b = {formatNumber(beaten)}, place {formatNumber(place)}
        </Trans>
      </Text>
      <Text textStyle="xl" fontWeight="semibold">
        {`${sum} = ${formatPoints(points)}`}
      </Text>
      <Text textStyle="sm" color="fg.muted">{t`Finish + players beaten + place = points`}</Text>
    </Output>
  )
}
