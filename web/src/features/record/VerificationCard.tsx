import { i18n } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Verification } from '@/api'
import { Loaded, type QueryState } from '@/api/Loaded'
import { serverText } from '@/locales'
import { Badge, Box, Heading, HStack, Skeleton, styled, Text } from '@/ui'
import { DateTime } from '@/ui/format'
import { AlertIcon, CheckIcon, MinusIcon } from '@/ui/icons'
import { Part } from '@/ui/Part'

const List = styled('ul', { base: { borderWidth: '1px', rounded: 'l3', bg: 'bg.panel', px: '4', py: '2' } })

const Summary = styled('summary', {
  base: { w: 'fit-content', mb: '3', py: '1', cursor: 'pointer', fontWeight: 'semibold', focusVisibleRing: 'outside' },
})

interface Props {
  query: QueryState<{ data: Verification }>
  /** Shows the list of the checks at once. */
  open?: boolean
}

/** What the server checked when it accepted a record, and what it did not check: in a sentence, and as a list. */
export function VerificationCard({ query, open = false }: Props) {
  const verification = query.currentData?.data
  return (
    <Part
      title={t`Verification`}
      aside={
        verification && (
          <Text textStyle="sm" color="fg.muted">
            <Trans>
              Checked <DateTime iso={verification.checkedAt} />
            </Trans>
          </Text>
        )
      }
    >
      <Loaded query={query} skeleton={<Skeleton h="8" rounded="l3" role="status" aria-label={t`Loading the checks`} />}>
        {(verification) => (
          <details open={open}>
            <Summary>{summaryText(verification)}</Summary>
            <List aria-label={t`Checks`}>
              {verification.checks.map((check) => (
                <Check key={check.name} {...check} />
              ))}
            </List>
            <Box mt="6">
              <Heading as="h3" textStyle="lg" mb="2">{t`Not checked`}</Heading>
              <List aria-label={t`Not checked`}>
                {verification.notChecked.map((check) => (
                  <Check key={check.name} {...check} result="not_checked" />
                ))}
              </List>
            </Box>
          </details>
        )}
      </Loaded>
    </Part>
  )
}

function summaryText({ checks, notChecked }: Verification): string {
  const applied = checks.filter(({ result }) => result !== 'not_applicable')
  const passed = applied.filter(({ result }) => result === 'passed').length
  const passedText = plural(applied.length, {
    one: `${passed} of # check passed`,
    other: `${passed} of # checks passed`,
  })
  if (notChecked.length === 0) return passedText
  const names = notChecked.map(({ name }) => {
    const text = serverText([`check.${name}`], nameText(name))
    // German writes nouns with a capital everywhere.
    return i18n.locale === 'de' ? text : text.toLocaleLowerCase(i18n.locale)
  })
  const list = new Intl.ListFormat(i18n.locale).format(names)
  return t`${passedText}, ${list} not checked`
}

const RESULTS = {
  passed: { Icon: CheckIcon, colorPalette: 'green', label: msg`Passed` },
  not_applicable: { Icon: MinusIcon, colorPalette: 'gray', label: msg`Does not apply` },
  not_checked: { Icon: AlertIcon, colorPalette: 'yellow', label: msg`Not checked` },
} as const
// A result that only a newer server knows.
const OF_NEWER_SERVER = { Icon: MinusIcon, colorPalette: 'gray', label: null } as const

interface CheckProps {
  name: string
  result: keyof typeof RESULTS
  sentence: string
}

function Check({ name, result, sentence }: CheckProps) {
  const { Icon, colorPalette, label } = RESULTS[result] ?? OF_NEWER_SERVER
  return (
    <HStack as="li" gap="3" py="2" alignItems="flex-start">
      <Box color="fg.muted">
        <Icon />
      </Box>
      <Box flex="1" minW="0">
        <HStack gap="3" alignItems="flex-start" justifyContent="space-between">
          <Text fontWeight="semibold">{serverText([`check.${name}`], nameText(name))}</Text>
          <Badge colorPalette={colorPalette}>{label ? i18n._(label) : result}</Badge>
        </HStack>
        <Text color="fg.muted">{serverText([`check.${name}.${result}`], sentence)}</Text>
      </Box>
    </HStack>
  )
}

/** Returns the text of a check's name, such as 'Own replay' for own_replay. The server may add checks. */
function nameText(name: string): string {
  const text = name.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
