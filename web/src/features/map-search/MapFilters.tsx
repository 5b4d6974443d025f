import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, Button, Popover, VisuallyHidden } from '@/ui'
import { FilterIcon } from '@/ui/icons'
import { FilterFields } from './FilterFields'
import { filterKinds, noFilters, type SettingsProps } from './queries'

/** The button of the popover with all filters but the name, and the number of active kinds. */
export function MapFilters({ settings, onChange }: SettingsProps) {
  const kinds = filterKinds(settings)
  return (
    <Popover.Root positioning={{ placement: 'bottom-start', flip: false }}>
      <Popover.Trigger asChild>
        <Button variant="outline" bg="bg.panel" px={{ base: '3', md: '4' }}>
          <FilterIcon /> <Trans>Filters</Trans>{' '}
          {kinds > 0 && (
            <Badge colorPalette="brand" variant="solid">
              <span>{kinds}</span> <VisuallyHidden>{t`active`}</VisuallyHidden>
            </Badge>
          )}
        </Button>
      </Popover.Trigger>
      <Popover.Content aria-label={t`Filters`} w="min(22rem, calc(100vw - 2rem))">
        <Popover.Body
          display="flex"
          flexDirection="column"
          gap="4"
          maxH="max(18rem, min(70vh, var(--available-height)))"
          overflowY="auto"
        >
          <Popover.Title fontWeight="bold" textStyle="md">{t`Filters`}</Popover.Title>
          <FilterFields settings={settings} onChange={onChange} />
          <Button variant="outline" size="sm" onClick={() => onChange(noFilters)} disabled={kinds === 0}>
            <Trans>Clear All</Trans>
          </Button>
        </Popover.Body>
      </Popover.Content>
    </Popover.Root>
  )
}
