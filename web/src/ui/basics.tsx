import { ark } from '@ark-ui/react/factory'
import { FieldInput, FieldSelect } from '@ark-ui/react/field'
import type { ComponentProps, ReactElement, ReactNode } from 'react'
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
  tag,
} from 'styled-system/recipes'
import { fieldControl } from './fieldControl'

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
/** A number in the typeface of headings, whose digits have one width. */
export const Figure = styled('span', {
  base: { fontFamily: 'heading', fontWeight: 'bold', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
})
export const Heading = styled('h2', heading)
export const Image = styled('img')
export const Input = styled(fieldControl(FieldInput), input)
export const Link = styled(ark.a, link)
/** A raised box. */
export const Panel = styled('div', { base: { borderWidth: '1px', rounded: 'l3', bg: 'bg.panel', shadow: 'card' } })
/** The sky of the banner's scene with a ridge, for what stands on it in its ink. */
export const Sky = styled('div', { base: { color: 'scene.ink' } }, { defaultProps: { className: 'sky' } })
/** Returns a colour of the scene, which the theme has for day and night, for a drawing. */
export const sceneColor = (name: string) => `var(--chakra-colors-scene-${name})`
const Placeholder = styled('div', skeleton)
/**
 * What is shown until there is something to show, which does not become its element: the browser would take that for a
 * shift of the layout. scripts/staticStyles.ts leaves functions as they are.
 */
export const Skeleton = (props: ComponentProps<typeof Placeholder>) => <Placeholder {...props} />
export const Spinner = styled('span', spinner)
export const Text = styled('p')

/** The name of a player, a map or a tag, which is not translated and keeps its direction of writing to itself. */
export const Name = (props: ComponentProps<'bdi'>) => <bdi translate="no" {...props} />

/**
 * A sentence in an element of its own, which is replaced with its texts: a browser that translates a page has replaced
 * each of them, so that a text that React changes beside others stays as it was.
 */
export const Sentence = ({ children }: { children: ReactNode }) => <span key={String(children)}>{children}</span>

/**
 * Children that may stand beside others. A text may not: a browser that translates a page replaces it behind React's
 * back, so that it needs an element of its own.
 */
export type Elements = ReactElement | readonly Elements[] | '' | false | null | undefined

/** Puts children that are a text into an element of their own. */
const asElements = (children: ReactNode): Elements =>
  typeof children === 'string' ? <span>{children}</span> : (children as Elements)

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
      {asElements(loading ? (loadingText ?? children) : children)}
    </ButtonBase>
  )
}

/** A square button; its label names what the icon shows. */
export function IconButton(props: ButtonProps & { 'aria-label': string }) {
  return <Button px="0" py="0" {...props} />
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
  Field: nativeSelectContext.withContext(fieldControl(FieldSelect), 'field'),
  Indicator: nativeSelectContext.withContext('div', 'indicator'),
}

const tagContext = createStyleContext(tag)

export const Tag = {
  Root: tagContext.withProvider('span', 'root'),
  Label: tagContext.withContext('span', 'label'),
  CloseTrigger: tagContext.withContext('button', 'closeTrigger'),
}
