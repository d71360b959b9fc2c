// The semantics language: see semantics/LANGUAGE.md for what each construct means.
grammar PtxSem;

file        : importDecl* declaration* EOF ;
importDecl  : 'import' word ';' ;
declaration : setDecl | aliasDecl | stateDecl | tableDecl | listDecl | rowsDecl | leadingDecl | functionDecl | layoutDecl | sourceDecl | specialDecl | deviceDecl | instruction ;

// Vocabulary
setDecl     : kind=('modifier' | 'types' | 'hint') word '=' members STRING? ';' ;
members     : '{' member (',' member)* ','? '}' ;
member      : path since? ;
path        : word ('::' (word | NUM))* ;                        // L2::cache_hint, cta_group::1
since       : 'since' VERSION ('on' target)? | 'on' target ;     // PTX ISA version, then target
target      : SM '+'? ('or' SM '+'?)* ;
aliasDecl   : 'type' word '=' expr ';' ;                          // type half = part(T)
stateDecl   : 'state' word ':' expr STRING? ';' ;
tableDecl   : 'table' word ':' expr '=' '{' tableValue (',' tableValue)* ','? '}' ';' ;
tableValue  : '-'? NUM ;
listDecl    : 'instructions' word '=' '{' spelling (',' spelling)* ','? '}' ';' ;   // for whoever lowers them
rowsDecl    : 'rows' word '(' word (',' word)* ')' '=' '{' row (';' row)* ';'? '}' ';' ;   // columns with names
row         : spelling (',' spelling)* ;
leadingDecl : 'leading' word '=' '{' word (',' word)* ','? '}' ';' ;   // words of an opcode that must stand first
spelling    : path ('.' path)* ;                                 // mul.ftz.f32
functionDecl: 'function' word ('.' word)* '(' (param (',' param)*)? ')' '->' expr ('=' expr ';' | block) ;
param       : word (':' expr)? ;
layoutDecl  : 'layout' word '(' word ',' word ',' word ')' '=' '(' expr ',' expr ')' ';' ;   // lane, element, parts -> row, column

// The machine: special registers, what they are made of, and devices
sourceDecl  : 'source' word ':' expr 'per' word STRING ';' ;
specialDecl : 'special' '%'? word ('<' NUM '>' word?)? ':' expr since? 'manual' STRING '=' expr STRING ';' ;
deviceDecl  : 'device' word STRING '{' limitDecl* '}' ;
limitDecl   : 'limit' word '=' expr STRING ';' ;

// One instruction family
instruction : 'instruction' word ('.' word)* '{' item* '}' ;
item        : 'manual' STRING ';'                                                       # Manual
            | 'summary' STRING ';'                                                      # Summary
            | setDecl                                                                   # LocalSet
            | aliasDecl                                                                 # LocalAlias
            | 'form' word? ':' word suffix* operandList? bind? since? ';'               # FormItem
            | 'operands' operandDecl (';' operandDecl)* ';'                             # Operands
            | 'legal' expr ('when' expr)? STRING? ';'                                   # Legal
            | 'note' STRING ';'                                                         # Note
            | 'trait' word (',' word)* ('when' expr)? ';'                               # Trait
            | 'unspecified' STRING ';'                                                  # UnspecifiedItem
            | level=('thread' | 'warp' | 'cta') (word (',' word)*)? word* block             # Body
            | 'control' word ';'                                                        # Control
            | 'refused' (word (',' word)*)? STRING ';'                                  # Refused
            | 'nothing' ';'                                                             # Nothing
            | 'prove' word '(' (param (',' param)*)? ')' ':' expr ';'                   # Prove
            | 'example' STRING '->' expr (',' expr)* ';'                                # Example
            ;
suffix      : '.' path | '{' '.' path '}' ;
operandList : operandRef (',' operandRef | optOperand)* ;
optOperand  : '{' ',' operandRef '}' ;
operandRef  : word '[' '|' word ']'      # PairRef                                        // p[|q]
            | word '|' word              # BothRef                                       // d|p
            | '{' '!' '}' word           # NegatableRef
            | '[' word ']'               # AddressRef
            | '[' word between? ',' word ']'   # JoinedRef                                // [map, c], [t, s, c], [t{, s}, c]
            | '(' word ')'               # ListRef
            | '{' '-' word '}' operandRef   # MinusRef                                     // {-minus}a
            | word '{' '.' word '}'      # SelectableRef                                   // a{.part}
            | word '.' word              # SelectedRef                                     // d.part
            | word                       # PlainRef
            ;
between     : ',' word | '{' ',' word '}' ;
bind        : 'with' binding (',' binding)* ;
binding     : word '=' (path | members) ;
operandDecl : word (',' word)* ':' direction=('in' | 'out' | 'inout') expr 'sink'? filter* 'sink'? ;
filter      : 'via' word ('when' expr)? ;

block       : '{' stmt* '}' ;
stmt        : 'let' word '=' expr ';'                                                   # Let
            | 'var' word ':' expr '=' expr ';'                                          # Var
            | 'if' '(' expr ')' block ('else' (block | stmt))?                          # If
            | ('for' | 'unordered') word 'in' expr '..' expr block                      # For
            | 'forall' word 'in' expr block                                             # Forall
            | 'require' expr 'else' ('undefined' STRING | 'misaligned') ';'             # Require
            | 'fence' word word? ';'                                                    # Fence
            | 'return' expr ';'                                                         # Return
            | expr '=' expr ';'                                                         # Assign
            | expr ';'                                                                  # Perform
            ;

expr        : expr '.' path                                      # Dot
            | expr '(' (argument (',' argument)*)? ')'           # Call
            | expr '[' expr (':' expr)? ']'                      # Index
            | expr '[' expr ',' expr ']'                         # Element       // of a matrix
            | op=('!' | '-' | '~') expr                          # Unary
            | expr op=('*' | '/' | '%') expr                     # Binary
            | expr op=('+' | '-') expr                           # Binary
            | expr op='++' expr                                  # Binary
            | expr op=('<<' | '>>') expr                         # Binary
            | expr op=('<' | '<=' | '>' | '>=') expr             # Binary
            | expr op=('==' | '!=') expr                         # Binary
            | expr op='in' expr                                  # Binary
            | expr op='&' expr                                   # Binary
            | expr op='^' expr                                   # Binary
            | expr op='|' expr                                   # Binary
            | expr op='&&' expr                                  # Binary
            | expr op='^^' expr                                  # Binary
            | expr op='||' expr                                  # Binary
            | <assoc=right> expr '?' expr ':' expr               # Conditional
            | word '=>' expr                                     # Lambda
            | '(' word ',' word ')' '=>' expr                    # PairLambda
            | '(' expr ')'                                       # Group
            | '{' expr (',' expr)* ','? '}'                      # SetOf
            | (NUM | FLOAT | VERSION)                            # Number
            | path                                               # Named
            ;
argument    : expr (':' expr)? ;                                 // i in active : condition

// PTX suffixes collide with keywords (.sync .aligned .cta .with), so every keyword is also a name.
word        : ID | SM | 'import' | 'modifier' | 'types' | 'type' | 'hint' | 'since' | 'on' | 'or' | 'state' | 'table' | 'function'
            | 'instruction' | 'instructions' | 'manual' | 'form' | 'operands' | 'legal' | 'when' | 'note' | 'summary' | 'unspecified' | 'thread' | 'warp' | 'cta' | 'sync'
            | 'aligned' | 'control' | 'refused' | 'nothing' | 'prove' | 'example' | 'with' | 'in' | 'out' | 'inout' | 'sink' | 'via' | 'let' | 'layout'
            | 'rows' | 'trait' | 'leading' | 'var' | 'if' | 'else' | 'for' | 'unordered' | 'forall' | 'require' | 'undefined' | 'misaligned' | 'fence' | 'return'
            | 'source' | 'per' | 'special' | 'device' | 'limit' ;

SM      : 'sm_' [0-9]+ [af]? ;
VERSION : [0-9]+ '.' [0-9]+ ;
NUM     : '0x' [0-9a-fA-F_]+ | '0b' [01_]+ | [0-9]+ ;
FLOAT   : '0f' HEX HEX HEX HEX HEX HEX HEX HEX
        | '0d' HEX HEX HEX HEX HEX HEX HEX HEX HEX HEX HEX HEX HEX HEX HEX HEX ;
ID      : [a-zA-Z_] [a-zA-Z0-9_]* | [0-9]+ [a-zA-Z_] [a-zA-Z0-9_]* ;   // PTX words may start with digits: 2d, 64B
STRING  : '"' ~["\n]* '"' ;
WS      : [ \t\r\n]+ -> skip ;
COMMENT : '//' ~[\n]* -> skip ;
fragment HEX : [0-9a-fA-F] ;
