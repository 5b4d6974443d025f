import { ark } from '@ark-ui/react/factory'
import { FieldInput, FieldSelect } from '@ark-ui/react/field'
import type { ComponentProps } from 'react'
import { createStyleContext, styled } from 'styled-system/jsx'
import {
  alert,
  badge,
  button,
  code,
  dataList,
  emptyState,
  heading,
  input,
  link,
  list,
  nativeSelect,
  skeleton,
  spinner,
  table,
  tag,
} from 'styled-system/recipes'

/**
 * Chakra's components under Chakra's names: Ark's behaviour with the recipes and tokens of Chakra's preset, whose style
 * sheet is written at build time. No other folder imports Chakra, Ark or styled-system.
 */
export { css } from 'styled-system/css'
export {
  AspectRatio,
  Box,
  Center,
  Container,
  Flex,
  Grid,
  HStack,
  Stack,
  styled,
  VisuallyHidden,
} from 'styled-system/jsx'

export const Badge = styled('span', badge)
export const Code = styled('code', code)
export const Heading = styled('h2', heading)
export const Image = styled('img')
export const Input = styled(FieldInput, input)
export const Link = styled(ark.a, link)
/** A raised box. */
export const Panel = styled('div', { base: { borderWidth: '1px', rounded: 'l3', bg: 'bg.panel', shadow: 'card' } })
export const Skeleton = styled('div', skeleton)
export const Spinner = styled('span', spinner)
export const Text = styled('p')

const ButtonBase = styled(ark.button, button)

type ButtonProps = ComponentProps<typeof ButtonBase> & {
  /** Shows a spinner and disables the button. */
  loading?: boolean | undefined
  /** Replaces the label while loading. */
  loadingText?: string
}

export function Button({ loading, loadingText, disabled, children, asChild, ...props }: ButtonProps) {
  if (asChild) {
    return (
      <ButtonBase asChild {...props}>
        {children}
      </ButtonBase>
    )
  }
  return (
    <ButtonBase type="button" disabled={disabled || loading} aria-busy={loading || undefined} {...props}>
      {loading && <Spinner size="inherit" borderWidth="0.125em" aria-hidden="true" />}
      {loading ? (loadingText ?? children) : children}
    </ButtonBase>
  )
}

/** A square button; its label names what the icon shows. */
export function IconButton(props: ButtonProps & { 'aria-label': string }) {
  return <Button px="0" py="0" {...props} />
}

const tableContext = createStyleContext(table)

export const Table = {
  ScrollArea: styled(Panel, { base: { overflowX: 'auto' } }),
  Root: tableContext.withProvider('table', 'root'),
  Header: tableContext.withContext('thead', 'header'),
  Body: tableContext.withContext('tbody', 'body'),
  Row: tableContext.withContext(styled('tr', { base: { bg: 'transparent' } }), 'row'),
  ColumnHeader: tableContext.withContext('th', 'columnHeader'),
  Cell: tableContext.withContext('td', 'cell'),
}

const dataListContext = createStyleContext(dataList)

export const DataList = {
  Root: dataListContext.withProvider('dl', 'root'),
  Item: dataListContext.withContext('div', 'item'),
  ItemLabel: dataListContext.withContext('dt', 'itemLabel'),
  ItemValue: dataListContext.withContext('dd', 'itemValue'),
}

const alertContext = createStyleContext(alert)

export const Alert = {
  Root: alertContext.withProvider('div', 'root'),
  Indicator: alertContext.withContext('span', 'indicator'),
  Content: alertContext.withContext('div', 'content'),
  Title: alertContext.withContext('div', 'title'),
  Description: alertContext.withContext('div', 'description'),
}

const emptyStateContext = createStyleContext(emptyState)

export const EmptyState = {
  Root: emptyStateContext.withProvider('div', 'root'),
  Content: emptyStateContext.withContext('div', 'content'),
  Title: emptyStateContext.withContext('p', 'title'),
  Description: emptyStateContext.withContext('p', 'description'),
}

const listContext = createStyleContext(list)

export const List = {
  Root: listContext.withProvider('ul', 'root'),
  Item: listContext.withContext('li', 'item'),
}

const nativeSelectContext = createStyleContext(nativeSelect)

export const NativeSelect = {
  Root: nativeSelectContext.withProvider('div', 'root'),
  Field: nativeSelectContext.withContext(FieldSelect, 'field'),
  Indicator: nativeSelectContext.withContext('div', 'indicator'),
}

const tagContext = createStyleContext(tag)

export const Tag = {
  Root: tagContext.withProvider('span', 'root'),
  Label: tagContext.withContext('span', 'label'),
  CloseTrigger: tagContext.withContext('button', 'closeTrigger'),
}
