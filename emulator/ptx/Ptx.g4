// PTX as text: what may stand where. Knows no instruction: opcode and modifiers are one NAME with dots.
// Every decision needs one token of lookahead, so the parser never predicts.
grammar Ptx;

// ---- module scope; what stands between braces here is elided (see outline.h)

moduleItem
  : '.version' version=NUMBER
  | '.target' targets+=NAME (',' targets+=NAME)*
  | '.address_size' addressSize=NUMBER
  | '.file' file=NUMBER path=STRING (',' timestamp=NUMBER ',' length=NUMBER)?
  | '.section' section=WORD open='{' '}'
  | '.alias' alias=(NAME | CALL) ',' aliasee=(NAME | CALL) ';'
  | pragma_=pragma
  | linkage=('.extern' | '.visible' | '.weak' | '.common') (function_=function | declaration_=declaration)
  | function_=function
  | declaration_=declaration
  ;

function
  : kind=('.entry' | '.func') attributes+=attribute* ('(' results=parameters ')')? name=(NAME | CALL)
    ('(' arguments=parameters ')')? directives+=directive* (end=';' | open='{' '}')?  // a prototype of a .func may do without
  ;

parameters : (list+=parameter (',' list+=parameter)*)? ;
parameter : space=SPACE specifiers+=specifier* name=(NAME | CALL) dimensions+=dimension* ;

directive
  : pragma_=pragma
  | word=WORD (values+=NUMBER (',' values+=NUMBER)*)?
  ;

pragma : '.pragma' strings+=STRING (',' strings+=STRING)* ';' ;

// ---- declarations, at module scope and in bodies

declaration : space=SPACE specifiers+=specifier* declarators+=declarator (',' declarators+=declarator)* ';' ;

specifier
  : word=(WORD | SPACE)
  | '.align' alignment=NUMBER
  | attribute_=attribute
  ;

attribute : '.attribute' '(' items+=attributeItem (',' items+=attributeItem)* ')' ;
attributeItem : word=WORD ('(' values+=NUMBER (',' values+=NUMBER)* ')')? ;

declarator
  : name=(NAME | CALL) ('<' count=NUMBER '>')? dimensions+=dimension* (equals='=' (value=expression | list=initializer))?
  ;

dimension : '[' extent=NUMBER? ']' ;

initializer : open='{' (elements+=element (',' elements+=element)*)? close='}' ;

element
  : list=initializer
  | value=expression ('=' property=expression)?
  ;

// ---- bodies

statement
  : block=('{' | '}')
  | '@' negated='!'? guard=(NAME | CALL) (name=CALL call_=call | name=NAME instruction_=instruction)
  | name=CALL (':' labelled_=labelled? | call_=call)
  | name=NAME (':' labelled_=labelled? | instruction_=instruction)
  | declaration_=declaration
  | loc_=loc
  | pragma_=pragma
  ;

instruction : modifiers+=(WORD | SPACE)* (operands+=operand (',' operands+=operand)*)? ';' ;

call : modifiers+=WORD* parts+=callPart (',' parts+=callPart)* ';' ;

callPart
  : open='(' (operands+=operand (',' operands+=operand)*)? ')'
  | name=(NAME | CALL)
  ;

labelled
  : kind=('.branchtargets' | '.calltargets') targets+=target (',' targets+=target)* ';'
  | kind='.callprototype' ('(' results=parameters ')')? name=(NAME | CALL) ('(' arguments=parameters ')')?
    directives+=directive* ';'
  ;

target : name=(NAME | CALL) ('<' count=NUMBER '>')? ;

loc
  : '.loc' numbers+=NUMBER numbers+=NUMBER numbers+=NUMBER
    (',' about=NAME label=NAME ('+' offset=NUMBER)? ',' inlined=NAME
     numbers+=NUMBER numbers+=NUMBER numbers+=NUMBER)?
  ;

// ---- operands and constant expressions; operator precedence is expression.cpp's

operand
  : open='{' parts+=operand (',' parts+=operand)* '}' ('|' second=(NAME | CALL))?
  | open='[' parts+=operand (',' parts+=operand)* ']' suffix=WORD?
  | value=expression
  ;

expression
  : terms+=term
    (operators+=('*' | '/' | '%' | '+' | '-' | '<<' | '>>' | '<' | '>' | '<=' | '>=' | '==' | '!=' | '&' | '^'
                 | '|' | '&&' | '||') terms+=term)*
    (ternary='?' then=expression ':' otherwise=expression)?
  ;

term
  : prefixes+=('-' | '+' | '!' | '~')*
    ( name=(NAME | CALL) component=WORD? ('[' index=expression ']' | '(' argument=expression ')')?
    | number=NUMBER ('(' argument=expression ')')?
    | '(' (cast=WORD ')' operand_=term | inner=expression ')')
    )
  ;

// ---- tokens

SPACE : '.reg' | '.sreg' | '.const' | '.global' | '.local' | '.param' | '.shared' | '.tex' ;
/// Only where a statement begins it is the opcode: anything may be called `call`.
CALL : 'call' DOTTED* ;
/// An identifier, or one followed by words: an opcode with modifiers, a register with a component.
NAME : ([a-zA-Z] FOLLOW* | [_$%] FOLLOW+ | '_') DOTTED* ;
WORD : '.' [a-zA-Z_] FOLLOW* ('::' FOLLOW+)* | '.' [1-5] 'd' ;
/// Any run that begins as a number; literal.cpp says whether it is one.
NUMBER : [0-9]+ ('.' [0-9]*)? [eE] [+-]? [0-9]+
       | '.' [0-9]+ ([eE] [+-]? [0-9]+)?
       | [0-9] [a-zA-Z0-9_]* ('.' [0-9]*)?
       ;
STRING : '"' ~["\r\n]* '"' ;

fragment FOLLOW : [a-zA-Z0-9_$] ;
fragment DOTTED : '.' FOLLOW+ ('::' FOLLOW+)* ;

SPACES : [ \t\r\n\f\u000B]+ -> skip ;
LINE_COMMENT : '//' ~[\r\n]* -> skip ;
BLOCK_COMMENT : '/*' .*? '*/' -> skip ;
LINE_MARKER : '#' [ \t]* [0-9] ~[\r\n]* -> skip ;
